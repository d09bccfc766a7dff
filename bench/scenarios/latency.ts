import { Contender, interleave } from "../contender.ts";
import type { Scenario } from "../scenario.ts";
import { measure, type Subject, warmUp } from "../subject.ts";

/** What an answer takes under a load that the service bears. */
export const latency: Scenario = {
  name: "latency",
  does: "p99 at half of the top rate, counted from when a delivery was to be sent",
  async run(bench) {
    const { generator, settings: { seconds, say } } = bench;
    const subject = await bench.published("Inlet");
    await warmUp(bench, subject);
    const top = await measure(generator, subject, { seconds });
    const perSecond = Math.max(1, Math.round(top.perSecond / 2));
    say(`  the top rate is ${top.perSecond.toFixed(0)}/s, half of it ${perSecond}/s`);
    const p99 = (of: Subject) =>
      new Contender({
        name: of.name,
        measure: async (seconds) => (await measure(generator, of, { seconds, perSecond })).latencyMs.p99,
        warmUp: () => warmUp(bench, of),
        show: (ms) => `p99 ${ms.toFixed(1)} ms`,
      });
    const ours = p99(subject);
    const bare = p99(await bench.bareScript());
    await interleave([ours, bare], bench.settings);
    return [{
      what: `p99 at ${perSecond}/s, half of the top rate`,
      unit: "ms",
      samples: ours.samples,
      against: { what: bare.name, samples: bare.samples },
      reach: { most: 1.2 },
    }];
  },
};
