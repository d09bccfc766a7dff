import assert from "node:assert/strict";
import { messageHandler } from "./handle.ts";
import { seenInMemory } from "./seen.ts";

const event = {
  id: "fb56ac83-6fc3-566a-a55e-09c93485a197",
  type: "webhook.invoice.paid",
  workspaceId: "8f14e45f-ceea-467f-a8b8-1d2f6e0b9c11",
  occurredAt: "2026-01-02T03:04:05.678Z",
  source: "webhook",
  actor: { type: "system", id: "webhook" },
  subject: { type: "invoice", id: "7" },
  payload: { type: "invoice.paid", data: { total: 7 } },
};

function handling(work: () => void | Promise<void>) {
  const seen = seenInMemory();
  return messageHandler({ on: { "webhook.invoice.paid": work }, otherwise: undefined, seen });
}

Deno.test("messageHandler hands an event to the handler of its type, once for each id", async () => {
  let handled = 0;
  const handle = handling(() => void handled++);
  for (const body of [event, JSON.stringify(event), event]) assert.deepEqual(await handle(body), { kind: "done" });
  assert.equal(handled, 1);
});

Deno.test("messageHandler lets a repeat wait for the first, and drops it when that succeeds", async () => {
  let handled = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const handle = handling(async () => {
    handled++;
    await promise;
  });
  const both = [handle(event), handle(event)];
  resolve();
  assert.deepEqual(await Promise.all(both), [{ kind: "done" }, { kind: "done" }]);
  assert.equal(handled, 1);
});

Deno.test("messageHandler does not remember what failed", async () => {
  let tries = 0;
  const handle = handling(() => {
    if (++tries === 1) throw new Error("not now");
  });
  assert.equal((await handle(event)).kind, "failed");
  assert.equal((await handle(event)).kind, "done");
  assert.equal(tries, 2);
});

Deno.test("messageHandler finds invalid what is no event, and what its handler could not read", async () => {
  const handle = handling(() => assert.fail("it was called"));
  for (const body of ["{", undefined, [], { ...event, id: "7" }, { ...event, payload: { type: 7 } }]) {
    assert.equal((await handle(body)).kind, "invalid");
  }
});

Deno.test("messageHandler is done with types that nobody handles, unless there is otherwise", async () => {
  const other = { ...event, type: "acme.thing.made", payload: { anything: 1 } };
  assert.deepEqual(await handling(() => assert.fail())(other), { kind: "done" });
  const told: string[] = [];
  const handle = messageHandler({ on: {}, otherwise: ({ type }) => void told.push(type), seen: seenInMemory() });
  await handle(other);
  assert.deepEqual(told, ["acme.thing.made"]);
});

Deno.test("seenInMemory forgets the oldest ids beyond its limit", async () => {
  const seen = seenInMemory(2);
  for (const id of ["a", "b", "a", "c"]) await seen.add(id);
  assert.deepEqual(["a", "b", "c"].map((id) => seen.has(id)), [true, false, true]);
});
