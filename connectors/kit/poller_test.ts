import assert from "node:assert/strict";
import { z } from "zod";
import { PollError } from "./errors.ts";
import { definePoller, type PollerConnector } from "./poller.ts";

const SECRET = "hunter2 and more";
const NOW = new Date("2026-03-02T12:00:30.000Z");

function counter(
  poll: (cursor: number | null, signal: AbortSignal) => Promise<number>,
  onOpen: (account: string) => void = () => {},
): PollerConnector {
  return definePoller({
    id: "counter",
    name: "Counter",
    description: "A source for tests",
    documentationUrl: "https://example.com",
    payloads: { "counter.number.counted": z.object({}) },
    descriptions: { "counter.number.counted": "It happened." },
    config: { account: z.string().default("main").describe("Whose numbers") },
    secrets: { password: z.string().describe("Opens the account") },
    check: ({ config }) => config.account === "none" ? [{ pointer: "/config/account", detail: "is nobody's" }] : [],
    cursor: z.int(),
    async poll({ config, cursor, signal }) {
      onOpen(config.account);
      return { drafts: [], cursor: await poll(cursor, signal) };
    },
  });
}

const settings = (config: Record<string, unknown> = {}) => ({ config, secrets: { password: SECRET } });
const request = (cursor: unknown = null, signal = new AbortController().signal) => ({ cursor, now: NOW, signal });

Deno.test("definePoller gives the first poll no cursor, and each after it the last one's", async () => {
  const seen: (number | null)[] = [];
  const accounts: string[] = [];
  const poller = counter((cursor) => (seen.push(cursor), Promise.resolve((cursor ?? 0) + 1)), (a) => accounts.push(a))
    .open(settings({ account: "other" }));
  const first = await poller.poll(request());
  await poller.poll(request(first.cursor));
  assert.deepEqual([seen, accounts], [[null, 1], ["other", "other"]]);
});

Deno.test("definePoller adds a schedule to the settings, in UTC, and refuses one that cannot be read", () => {
  const connector = counter(() => Promise.resolve(0));
  assert.equal(connector.open(settings()).nextRun(NOW)?.toISOString(), "2026-03-02T12:05:00.000Z");
  const daily = connector.open(settings({ schedule: "30 7 * * *" }));
  assert.equal(daily.nextRun(NOW)?.toISOString(), "2026-03-03T07:30:00.000Z");
  for (const schedule of ["every minute", "* * * *", "*/5 * * * * *", "99 * * * *", ""]) {
    const [fault] = connector.faultsOf(settings({ schedule }), true);
    assert.equal(fault?.pointer, "/config/schedule", schedule);
    assert.match(fault?.detail ?? "", /cron expression of five fields/);
  }
});

Deno.test("definePoller checks what no single setting shows, only before it is enabled", () => {
  const connector = counter(() => Promise.resolve(0));
  assert.deepEqual(connector.faultsOf(settings({ account: "none" }), true).map(({ pointer }) => pointer), [
    "/config/account",
  ]);
  assert.deepEqual(connector.faultsOf(settings({ account: "none" }), false), []);
  assert.deepEqual(connector.faultsOf({ config: {}, secrets: {} }, false), []);
  assert.deepEqual(connector.faultsOf({ config: {}, secrets: {} }, true), [
    { pointer: "/secrets/password", detail: "is required" },
  ]);
});

Deno.test("definePoller does not begin anew where it cannot read the cursor", async () => {
  let polled = false;
  const poller = counter(() => Promise.resolve(polled = true).then(() => 0)).open(settings());
  await assert.rejects(poller.poll(request("half")), { name: "PollError", message: /the stored cursor is not one/ });
  assert.equal(polled, false);
});

for (
  const thrown of [new Error(`no: ${SECRET}`), new PollError(`Cannot log in: ${encodeURIComponent(SECRET)}`), SECRET]
) {
  Deno.test(`definePoller takes the secrets out of ${thrown}`.replaceAll(SECRET, "…"), async () => {
    const poller = counter(() => Promise.reject(thrown)).open(settings());
    await assert.rejects(poller.poll(request()), (error: Error) => {
      assert.ok(error instanceof PollError);
      assert.match(error.message, /^Cannot .*•••$/);
      assert.equal(error.cause, undefined);
      return true;
    });
  });
}

Deno.test("definePoller says in words where an answer does not fit its schema", async () => {
  const answer: unknown = [{ id: 7 }, {}, {}, {}];
  const schema = z.array(z.object({ id: z.string() })).transform(() => 0);
  const poller = counter(() => schema.parseAsync(answer)).open(settings());
  await assert.rejects(poller.poll(request()), {
    name: "PollError",
    message: "Cannot poll Counter: its answer is not what it documents: /0/id expected a text, not a number, " +
      "/1/id is required, /2/id is required",
  });
});

Deno.test("definePoller gives up a poll that hangs when it is aborted, and one that is aborted already", async () => {
  const controller = new AbortController();
  const hanging = counter(() => new Promise(() => {})).open(settings());
  const poll = hanging.poll(request(null, controller.signal));
  controller.abort();
  await assert.rejects(poll, { name: "PollError", message: "Cannot poll Counter: it took too long" });
  await assert.rejects(hanging.poll(request(null, controller.signal)), { name: "PollError" });
  const stopping = AbortSignal.abort(new PollError("Cannot poll: the service is stopping"));
  await assert.rejects(hanging.poll(request(null, stopping)), { message: "Cannot poll: the service is stopping" });
});
