import type { Bench } from "../bench.ts";
import { interleave } from "../contender.ts";
import type { Inlet } from "../inlet.ts";
import type { Scenario } from "../scenario.ts";
import { compareRates, type Subject, underLoad } from "../subject.ts";

/** What a second process gives on the same machine. */
export const processes: Scenario = {
  name: "processes",
  does: "two processes on one broker, each with its own store or both on one",
  async run(bench) {
    const one = underLoad(bench, await bench.published("one process"));
    const own = underLoad(bench, await apart("two processes, each with its own store", bench));
    const shared = underLoad(bench, await sharing("two processes on one store", bench));
    await interleave([one, own, shared], bench.settings);
    return [own, shared].map((two) => compareRates(`confirmed, ${two.name}`, two, { to: one }));
  },
};

async function apart(name: string, bench: Bench): Promise<Subject> {
  const queue = await bench.queue();
  const first = await bench.inlet({ env: queue.env });
  const second = await bench.inlet({ env: queue.env });
  return both(name, [first, second], () => queue.empty());
}

async function sharing(name: string, bench: Bench): Promise<Subject> {
  const queue = await bench.queue();
  const first = await bench.inlet({ env: queue.env });
  return both(name, [first, await bench.another(first, queue.env)], () => queue.empty());
}

function both(name: string, inlets: readonly Inlet[], arrived: () => Promise<number>): Subject {
  const [urls, processes] = [inlets.flatMap(({ urls }) => urls), inlets.map(({ process }) => process)];
  return { name, urls, processes, does: "published", arrived };
}
