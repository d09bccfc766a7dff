import assert from "node:assert/strict";
import { acceptedDeliveries } from "./accepted.ts";

const HERE = "8f14e45f-ceea-467f-a8b8-1d2f6e0b9c11";
const ELSEWHERE = "9f14e45f-ceea-467f-a8b8-1d2f6e0b9c11";
const DAY_MS = 86_400_000;

Deno.test("a delivery is accepted once it is recorded, in its workspace only, also for another process", async () => {
  using kv = await Deno.openKv(":memory:");
  const options = { windowMs: DAY_MS, now: () => new Date() };
  const accepted = acceptedDeliveries(kv, options);
  assert.equal(await accepted.has({ workspaceId: HERE, id: "a" }), false);
  await accepted.record({ workspaceId: HERE, id: "a" });
  for (const asked of [accepted, acceptedDeliveries(kv, options)]) {
    assert.equal(await asked.has({ workspaceId: HERE, id: "a" }), true);
    assert.equal(await asked.has({ workspaceId: HERE, id: "b" }), false);
    assert.equal(await asked.has({ workspaceId: ELSEWHERE, id: "a" }), false);
  }
});

Deno.test("a delivery is forgotten when the window has passed, whenever the store deletes it", async () => {
  using kv = await Deno.openKv(":memory:");
  let now = new Date("2026-01-02T03:04:05.678Z");
  const accepted = acceptedDeliveries(kv, { windowMs: DAY_MS, now: () => now });
  await accepted.record({ workspaceId: HERE, id: "a" });
  now = new Date(now.getTime() + DAY_MS - 1);
  assert.equal(await accepted.has({ workspaceId: HERE, id: "a" }), true);
  now = new Date(now.getTime() + 1);
  assert.equal(await accepted.has({ workspaceId: HERE, id: "a" }), false);
});

Deno.test("many deliveries at a time are each answered for themselves", async () => {
  using kv = await Deno.openKv(":memory:");
  const accepted = acceptedDeliveries(kv, { windowMs: DAY_MS, now: () => new Date() });
  const ids = Array.from({ length: 1200 }, (_, index) => String(index));
  await Promise.all(ids.filter((_, index) => index % 3 === 0).map((id) => accepted.record({ workspaceId: HERE, id })));
  const found = await Promise.all(ids.map((id) => accepted.has({ workspaceId: HERE, id })));
  assert.deepEqual(found, ids.map((_, index) => index % 3 === 0));
});
