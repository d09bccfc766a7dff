import type { Bench } from "../bench.ts";
import type { BoundQueue } from "../bound_queue.ts";
import type { Inlet } from "../inlet.ts";
import type { Scenario } from "../scenario.ts";
import { CONNECTIONS, CountError, measure, type Subject, warmUp } from "../subject.ts";
import { withoutBroker } from "./spool.ts";

/** How long one load goes on before it is looked whether the spool is empty. */
const SLICE_SECONDS = 0.5;
const POLL_MS = 20;
/** How long filling the spool may take: its number ends it. */
const FILL_SECONDS = 600;

/** How fast what was spooled gets to the broker that is back, while new deliveries come as fast as they are answered. */
export const drain: Scenario = {
  name: "drain",
  does: "drain of a full spool, while new deliveries keep coming",
  async run(bench) {
    const { rounds, seconds, spooled, say } = bench.settings;
    const queue = await bench.queue();
    const inlet = await bench.inlet({ env: withoutBroker() });
    const drained: number[] = [];
    const live: number[] = [];
    for (let round = 1; round <= rounds; round++) {
      await fill(bench, inlet, spooled);
      await inlet.stop();
      await inlet.start(queue.env);
      drained.push(await drainedPerSecond(bench, inlet, queue, spooled));
      if (round === 1) await warmUp(bench, publishing(inlet, queue));
      live.push((await measure(bench.generator, publishing(inlet, queue), { seconds })).perSecond);
      say(`  round ${round} of ${rounds}: ${drained.at(-1)?.toFixed(0)}/s drained, ${live.at(-1)?.toFixed(0)}/s live`);
      await inlet.stop();
      await inlet.start();
    }
    return [{
      what: `drain of ${spooled} spooled events, while new ones come`,
      unit: "/s",
      samples: drained,
      against: { what: "live publishing", samples: live },
      reach: { least: 0.8 },
    }];
  },
};

async function fill({ generator }: Bench, inlet: Inlet, most: number): Promise<void> {
  const subject: Subject = {
    name: "filling the spool",
    urls: inlet.urls,
    processes: [inlet.process],
    does: "queued",
    arrived: async () => (await inlet.state()).spooled,
  };
  await measure(generator, subject, { seconds: FILL_SECONDS, most });
}

function publishing(inlet: Inlet, queue: BoundQueue): Subject {
  const { urls, process } = inlet;
  return { name: "Inlet", urls, processes: [process], does: "published", arrived: () => queue.empty() };
}

/** Events that went through the spool, the new ones among them, by the time from the start until it was empty. */
async function drainedPerSecond(
  { generator }: Bench,
  inlet: Inlet,
  queue: BoundQueue,
  spooled: number,
): Promise<number> {
  const { spooled: atStart } = await inlet.state();
  const start = performance.now();
  let emptyAt: number | undefined;
  let queued = 0;
  let published = 0;
  const flowing = async () => {
    while (emptyAt === undefined) {
      const job = { urls: inlet.urls, connections: CONNECTIONS, seconds: SLICE_SECONDS };
      const result = await generator.load(job);
      queued += result.queued;
      published += result.published;
    }
  };
  const watching = async () => {
    while ((await inlet.state()).spooled > 0) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    emptyAt = performance.now();
  };
  await Promise.all([flowing(), watching()]);
  // What came to the spool in the very last moment is on its way too.
  while ((await inlet.state()).spooled > 0) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  const accepted = spooled + queued + published;
  const arrived = await queue.empty();
  if (arrived !== accepted) throw new CountError(`Cannot count on the drain: ${accepted} accepted, ${arrived} there`);
  return (atStart + queued) * 1000 / ((emptyAt ?? NaN) - start);
}
