import assert from "node:assert/strict";
import { testAmqpUrl } from "../tests/support/broker.ts";
import { Bench, type BenchSettings } from "./bench.ts";
import { describeCommit, describeMachine } from "./machine.ts";
import { CountError, measure, type Subject } from "./subject.ts";

const settings: BenchSettings = {
  rounds: 1,
  seconds: 1,
  warmUp: 50,
  say() {},
  amqpUrl: testAmqpUrl(),
  deliveries: 1,
  spooled: 1,
  rows: 1,
};
/** Ends a load that its number is to end, however slow the machine is. */
const LONG = 600;

async function noop(bench: Bench): Promise<Subject> {
  const server = await bench.server("noop.ts");
  return { name: "noop", urls: [`${server.url}/webhooks/github`], processes: [server], does: "published" };
}

Deno.test("a load of so many deliveries sends as many, and one at a rate those of its time", async () => {
  await using bench = new Bench(settings);
  const subject = await noop(bench);
  const { accepted, latencyMs, perSecond } = await measure(bench.generator, subject, { seconds: LONG, most: 200 });
  assert.equal(accepted, 200);
  assert.ok(latencyMs.p50 > 0 && latencyMs.p50 <= latencyMs.p99 && latencyMs.p99 <= latencyMs.max);
  assert.ok(perSecond > 0);
  const paced = await measure(bench.generator, subject, { seconds: 1, perSecond: 50 });
  assert.equal(paced.accepted, 50);
});

Deno.test("a load fails when events are missing, and when deliveries are refused", async () => {
  await using bench = new Bench(settings);
  const subject = await noop(bench);
  const lossy = { ...subject, arrived: () => Promise.resolve(9) };
  await assert.rejects(
    measure(bench.generator, lossy, { seconds: LONG, most: 10 }),
    new CountError("Cannot count on noop: 10 published, 9 there"),
  );
  await assert.rejects(
    measure(bench.generator, { ...subject, does: "queued" }, { seconds: LONG, most: 10 }),
    new CountError("Cannot count on noop: of 10 deliveries it should have queued all, it published 10 and queued 0"),
  );
  const bare = await bench.bareScript();
  const elsewhere = { ...bare, urls: bare.urls.map((url) => `${url}/not-here`) };
  await assert.rejects(measure(bench.generator, elsewhere, { seconds: LONG, most: 10 }));
});

Deno.test("what the bare script and the service publish is in their queues, each once", async () => {
  await using bench = new Bench(settings);
  const bare = await bench.bareScript();
  assert.equal((await measure(bench.generator, bare, { seconds: LONG, most: 100 })).accepted, 100);
  const small = await bench.bareScript("sender");
  assert.equal((await measure(bench.generator, small, { seconds: LONG, most: 100 })).accepted, 100);
  const ours = await bench.published("Inlet", { env: { PUBLISH_TIMEOUT: "1m" } });
  assert.equal((await measure(bench.generator, ours, { seconds: LONG, most: 100 })).accepted, 100);
});

Deno.test("the machine is described with its processors, memory and versions", async () => {
  const [machine = "", versions = ""] = await describeMachine(testAmqpUrl());
  assert.match(machine, /^\d+ processors \(.+\), \d+ GiB of memory, /);
  assert.match(versions, /^Deno \d+\.\d+\.\d+, V8 .+, RabbitMQ \d+\.\d+/);
  assert.match(await describeCommit(), /^[0-9a-f]{7,}( with changes)?$|^unknown$/);
});
