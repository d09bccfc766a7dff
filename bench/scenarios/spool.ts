import { z } from "zod";
import type { Bench } from "../bench.ts";
import { interleave } from "../contender.ts";
import type { Scenario } from "../scenario.ts";
import { compareRates, type Subject, underLoad } from "../subject.ts";

const countSchema = z.object({ stored: z.int() });

/** The settings of a service whose broker is away, with as much room in the spool as it may need. */
export function withoutBroker(): Record<string, string> {
  // Nobody listens on port 1.
  return { AMQP_URL: "amqp://127.0.0.1:1", SPOOL_MAX_BYTES: String(2 ** 40) };
}

/** What is accepted while the broker is away. */
export const spool: Scenario = {
  name: "spool",
  does: "the broker is down: accepted into the spool",
  async run(bench) {
    const inlet = await bench.inlet({ env: withoutBroker() });
    const ours = underLoad(bench, {
      name: "Inlet",
      urls: inlet.urls,
      processes: [inlet.process],
      does: "queued",
      arrived: difference(async () => (await inlet.state()).spooled),
    });
    const plain = underLoad(bench, await plainStore(bench));
    await interleave([ours, plain], bench.settings);
    return [compareRates("broker down, accepted into the spool", ours, { to: plain, reach: { least: 5 } })];
  },
};

async function plainStore(bench: Bench): Promise<Subject> {
  const server = await bench.server("plain_store.ts", { KV_PATH: `${await bench.folder()}/plain.sqlite3` });
  return {
    name: "a store with a commit a request",
    urls: [`${server.url}/webhooks/github`],
    processes: [server],
    does: "queued",
    arrived: difference(async () => countSchema.parse(await (await fetch(`${server.url}/count`)).json()).stored),
  };
}

/** How much a count that only grows has grown since it was last asked for. */
function difference(count: () => Promise<number>): () => Promise<number> {
  let before = 0;
  return async () => {
    const last = before;
    before = await count();
    return before - last;
  };
}
