import type { Connection } from "./connection.ts";
import { connect, Deliveries } from "./deliver.ts";
import type { FanoutJob } from "./jobs.ts";
import { Listeners } from "./listeners.ts";

/**
 * Sends deliveries as fast as all clients of a live stream hear of them: no more than `window` are on their way to the
 * slowest, so that none is dropped for being slow. Gives how many were sent, and how long it took until all had heard all.
 */
export async function fanOut(job: FanoutJob): Promise<{ events: number; seconds: number }> {
  const { url, streamUrl, clients, connections, seconds, window } = job;
  using listeners = await Listeners.open(streamUrl, clients);
  const deliveries = new Deliveries([url], connections);
  const senders = await Promise.all(Array.from({ length: connections }, () => connect([url])));
  const start = performance.now();
  const end = start + seconds * 1000;
  let sent = 0;

  async function send(connection: ReadonlyMap<number, Connection> & Disposable): Promise<void> {
    using _ = connection;
    while (performance.now() < end) {
      if (sent - listeners.least >= window) {
        await listeners.progress();
        continue;
      }
      sent++;
      const { status, body } = await deliveries.send(connection);
      if (status >= 300) throw new Error(`Cannot measure: the server answered ${status}: ${body}`);
    }
  }

  await Promise.all(senders.map(send));
  while (listeners.least < sent) await listeners.progress();
  if (listeners.most > sent) throw new Error(`Cannot measure: ${sent} events sent, ${listeners.most} heard`);
  return { events: sent, seconds: (performance.now() - start) / 1000 };
}
