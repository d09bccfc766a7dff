import { interleave } from "../contender.ts";
import type { Scenario } from "../scenario.ts";
import { compareRates, CONNECTIONS, underLoad } from "../subject.ts";

/** What accepting and confirming costs beside what the program alone could do, and beside what somebody would write. */
export const confirmed: Scenario = {
  name: "confirmed",
  does: `accepted and confirmed, over ${CONNECTIONS} connections`,
  async run(bench) {
    const ours = underLoad(bench, await bench.published("Inlet"));
    // Without AMQP_URL the exchange is one inside the process, which confirms at once.
    const inlet = await bench.inlet();
    const handler = underLoad(bench, {
      name: "the same with an exchange that confirms at once",
      urls: inlet.urls,
      processes: [inlet.process],
      does: "published",
    });
    const bare = underLoad(bench, await bench.bareScript());
    const small = underLoad(bench, await bench.bareScript("sender"));
    await interleave([ours, handler, bare, small], bench.settings);
    return [
      compareRates("accepted and confirmed", ours, { to: handler, reach: { least: 0.65 } }),
      compareRates("accepted and confirmed", ours, { to: bare, reach: { least: 1 } }),
      compareRates("accepted and confirmed", ours, { to: small }),
    ];
  },
};
