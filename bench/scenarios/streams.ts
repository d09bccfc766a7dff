import type { Bench } from "../bench.ts";
import { Contender, interleave } from "../contender.ts";
import type { FanoutJob } from "../load/jobs.ts";
import type { Finding } from "../figures.ts";
import type { Inlet } from "../inlet.ts";
import type { Scenario } from "../scenario.ts";
import type { ServerProcess } from "../server_process.ts";

const CLIENTS = [100, 1000];
/** Senders: few, since it is the streams that are to be the work. */
const CONNECTIONS = 8;
/** What may be on its way to a client: less than a client may leave unread before it is dropped (1 MiB). */
const WINDOW_BYTES = 768 * 1024;
const WARM_UP_SECONDS = 2;
/** How many messages are taken to the bare fan-out. */
const PROBES = 64;

/** How many events reach the clients of a live stream. */
export const streams: Scenario = {
  name: "streams",
  does: `live stream: events delivered to ${CLIENTS.join(" and ")} clients`,
  async run(bench) {
    // The exchange is one inside the process: it is the stream that is measured, and not the broker.
    const inlet = await bench.inlet({ env: { MAX_STREAMS: "2000" } });
    const messages = await messagesOf(bench, inlet);
    const bytes = messages.reduce((sum, { length }) => sum + length, 0) / messages.length;
    const file = `${await bench.folder()}/messages.json`;
    await Deno.writeTextFile(file, JSON.stringify(messages));
    const [bareServer, hubServer] = [
      await bench.server("fanout.ts", { MESSAGES_FILE: file }),
      await bench.server("hub.ts", { MESSAGES_FILE: file }),
    ];
    const window = Math.floor(WINDOW_BYTES / bytes);
    const findings: Finding[] = [];
    for (const clients of CLIENTS) {
      const common = { clients, connections: CONNECTIONS, window };
      const ours = fannedOut(bench, "Inlet", { ...common, url: inlet.urls[0] ?? "", streamUrl: inlet.streamUrl });
      const bare = fannedOut(bench, "a bare Deno.serve", { ...common, ...urlsOf(bareServer) });
      const alone = fannedOut(bench, "the streams alone", { ...common, ...urlsOf(hubServer) });
      await interleave([ours, bare, alone], bench.settings);
      const events = `${clients} clients, events of ${bytes.toFixed(0)} bytes delivered`;
      const compared = {
        unit: "/s",
        against: { what: bare.name, samples: bare.samples },
        reach: { least: 0.8 },
      } as const;
      findings.push(
        { what: `live stream, ${events}`, samples: ours.samples, ...compared },
        { what: `the streams alone, ${events}`, samples: alone.samples, ...compared },
      );
    }
    return findings;
  },
};

function urlsOf({ url }: ServerProcess): Pick<FanoutJob, "url" | "streamUrl"> {
  return { url: `${url}/publish`, streamUrl: `${url}/stream` };
}

function fannedOut(
  { generator }: Bench,
  name: string,
  job: Omit<FanoutJob, "kind" | "seconds">,
): Contender<number> {
  const measure = async (seconds: number) => {
    const result = await generator.fanOut({ ...job, seconds });
    return result.events * job.clients / result.seconds;
  };
  return new Contender({
    name,
    measure,
    warmUp: () => measure(WARM_UP_SECONDS),
    show: (perSecond) => `${perSecond.toFixed(0)}/s to ${job.clients} clients`,
  });
}

/** The messages that Inlet's live stream makes of deliveries, as they are on the wire. */
async function messagesOf({ generator }: Bench, inlet: Inlet): Promise<string[]> {
  const stream = await fetch(inlet.streamUrl);
  await generator.load({ urls: inlet.urls, connections: 1, seconds: 60, most: PROBES });
  const messages: string[] = [];
  let unfinished = "";
  for await (const text of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const parts = `${unfinished}${text}`.split("\n\n");
    unfinished = parts.pop() ?? "";
    messages.push(...parts.filter((part) => part.includes("\ndata: ")).map((part) => `${part}\n\n`));
    if (messages.length >= PROBES) break;
  }
  return messages;
}
