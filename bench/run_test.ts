import assert from "node:assert/strict";
import { Bench, type BenchSettings } from "./bench.ts";
import { formatTable } from "./report.ts";
import { measureGenerator, runScenario } from "./run.ts";
import type { Scenario } from "./scenario.ts";
import { scenarios } from "./scenarios.ts";
import { spool } from "./scenarios/spool.ts";
import type { ServerProcess } from "./server_process.ts";

const lines: string[] = [];
const settings: BenchSettings = {
  rounds: 1,
  seconds: 0.5,
  warmUp: 50,
  say: (line) => lines.push(line),
  // Nobody listens on port 1.
  amqpUrl: "amqp://127.0.0.1:1",
  deliveries: 1,
  spooled: 1,
  rows: 1,
};

Deno.test("a scenario measures each contender, counts what arrived, and becomes lines of the table", async () => {
  const outcome = await runScenario(spool, settings);
  assert.equal(outcome.failure, undefined);
  assert.equal(outcome.findings.length, 2);
  for (const { samples, against } of outcome.findings) {
    assert.deepEqual([samples.length, against?.samples.length], [1, 1]);
    assert.ok((samples[0] ?? 0) > 0 && (against?.samples[0] ?? 0) > 0);
  }
  assert.match(
    lines.join("\n"),
    /^ {2}round 1 of 1, Inlet: \d+\/s.*\n {2}round 1 of 1, a store with a commit a request/,
  );
  const [head = "", row = "", ...others] = formatTable([outcome]).split("\n");
  assert.match(head, /^what\s+figure\s+compared with\s+its figure\s+ratio\s+reach\s+met$/);
  assert.match(row, /^broker down, .* {2}[\d,]+\/s {2}a store with .*\d+\.\d\d {2}≥ 5 +(yes|no)$/);
  assert.match(others.join(), /µs of CPU a delivery/);
});

Deno.test("a scenario that fails is told of, with what it says, and ends what it started", async () => {
  let server: ServerProcess | undefined;
  const failing: Scenario = {
    name: "failing",
    does: "fails",
    async run(bench) {
      server = await bench.server("noop.ts");
      throw new Error("Cannot measure: a test");
    },
  };
  const outcome = await runScenario(failing, settings);
  assert.deepEqual(outcome, { name: "failing", findings: [], failure: "Cannot measure: a test" });
  await assert.rejects(() => server?.memoryBytes() ?? Promise.resolve());
});

Deno.test("the load generator is measured alone", async () => {
  const { perSecond, cpuMicros } = await measureGenerator(settings);
  assert.ok(perSecond > 0 && cpuMicros > 0);
});

for (const script of ["fanout.ts", "hub.ts"]) {
  Deno.test(`clients of a stream of ${script} hear each event once, as fast as all of them hear it`, async () => {
    await using bench = new Bench(settings);
    const file = `${await bench.folder()}/messages.json`;
    await Deno.writeTextFile(file, JSON.stringify(['id: 1\ndata: {"a":1}\n\n', 'id: 2\ndata: {"b":2}\n\n']));
    const { url } = await bench.server(script, { MESSAGES_FILE: file });
    const urls = { streamUrl: `${url}/stream`, url: `${url}/publish` };
    const { events, seconds } = await bench.generator.fanOut({
      ...urls,
      clients: 3,
      connections: 2,
      seconds: 0.3,
      window: 5,
    });
    assert.ok(events > 0 && seconds > 0);
    const listener = bench.listener();
    await listener.listen(`${url}/stream`, 2);
    await bench.generator.load({ urls: [`${url}/publish`], connections: 1, seconds: 600, most: 7 });
    assert.equal(await listener.heard(7, 600), 7);
    await assert.rejects(listener.heard(8, 0.01), /7 of 8 events heard/);
  });
}

Deno.test("each scenario has a name of its own", () => {
  assert.equal(new Set(scenarios.map(({ name }) => name)).size, scenarios.length);
});
