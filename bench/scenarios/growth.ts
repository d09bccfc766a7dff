import { interleave } from "../contender.ts";
import type { Scenario } from "../scenario.ts";
import { compareRates, underLoad } from "../subject.ts";
import { prefill } from "../prefill.ts";

const WORKSPACES = [10, 100, 1000];
const FEW_ROWS = 10;
const FLAT = { least: 0.9 };

/** Whether a delivery costs more where there are many tenants. */
export const workspaces: Scenario = {
  name: "workspaces",
  does: `deliveries/s with 1, ${WORKSPACES.join(", ")} workspaces`,
  async run(bench) {
    const one = underLoad(bench, await bench.published("1 workspace"));
    const more = [];
    for (const workspaces of WORKSPACES) {
      bench.settings.say(`  making ${workspaces} workspaces`);
      more.push(underLoad(bench, await bench.published(`${workspaces} workspaces`, { workspaces })));
    }
    await interleave([one, ...more], bench.settings);
    return more.map((contender) => compareRates(`confirmed, ${contender.name}`, contender, { to: one, reach: FLAT }));
  },
};

/** Whether a delivery costs more where much is stored. */
export const rows: Scenario = {
  name: "rows",
  does: "deliveries/s with few and many rows in journal and dedupe",
  async run(bench) {
    const { rows, say } = bench.settings;
    // Or what was stored would be deleted at the first delivery.
    const env = { JOURNAL_RETENTION_COUNT: String(rows) };
    const few = await bench.published(`${FEW_ROWS} rows`, { env });
    const many = await bench.published(`${rows} rows`, { env });
    await prefill(few.inlet, FEW_ROWS, say);
    await prefill(many.inlet, rows, say);
    const little = underLoad(bench, few);
    const much = underLoad(bench, many);
    await interleave([little, much], bench.settings);
    return [compareRates(`confirmed, ${rows} rows in journal and dedupe`, much, { to: little, reach: FLAT })];
  },
};
