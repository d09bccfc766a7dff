import assert from "node:assert/strict";
import { v7 as uuidv7 } from "uuid";
import { createSealer } from "../crypto/seal.ts";
import type { DeliveryRecord } from "../deps.ts";
import { deliveryStore } from "./deliveries.ts";
import { keys } from "./keys.ts";

const HERE = "8f14e45f-ceea-467f-a8b8-1d2f6e0b9c11";
const ELSEWHERE = "9f14e45f-ceea-467f-a8b8-1d2f6e0b9c11";
const sealer = await createSealer(new Uint8Array(32));
const now = () => new Date();

function recordOf(workspaceId: string): DeliveryRecord {
  return {
    id: uuidv7(),
    workspaceId,
    connectorId: "github",
    receivedAt: now(),
    deliveryId: null,
    status: 200,
    refusal: null,
    published: 1,
    queued: 0,
    duplicate: false,
    events: [],
    durationMs: 1,
    bodyBytes: null,
    headers: {},
    bodyKept: true,
  };
}

Deno.test("deliveries that are appended at once are kept each with its own body, whatever the sizes", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = deliveryStore(kv, { sealer, retention: { ageMs: 86_400_000, count: 1000 }, now });
  const sizes = [10, 9000, 0, 200_000, 50_000, 2_000_000, ...Array.from({ length: 250 }, (_, index) => index * 40)];
  const appended = sizes.map((size, index) => {
    const body = size === 0 ? undefined : new Uint8Array(size).fill(index);
    return { record: recordOf(index % 3 === 0 ? ELSEWHERE : HERE), body };
  });
  await Promise.all(appended.map(({ record, body }) => store.append(record, body)));
  for (const { record: { workspaceId, id }, body } of appended) {
    assert.deepEqual((await store.get(workspaceId, id))?.id, id);
    assert.deepEqual(await store.body(workspaceId, id), body);
  }
  assert.equal((await store.list(HERE, { limit: 1000 })).length, appended.length - Math.ceil(appended.length / 3));
});

Deno.test("deliveries of many events, and one with a header of any length, cost those beside them nothing", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = deliveryStore(kv, { sealer, retention: { ageMs: 86_400_000, count: 1000 }, now });
  const events = Array.from({ length: 50 }, () => ({ id: uuidv7(), type: "device.measurement.recorded" }));
  const headers = { "user-agent": "x".repeat(100_000) };
  const records = Array.from({ length: 180 }, (_, index) => ({
    ...recordOf(index % 2 === 0 ? HERE : ELSEWHERE),
    events,
    headers: index === 7 ? headers : { "user-agent": "x".repeat(4000) },
  }));
  await Promise.all(records.map((record) => store.append(record, new Uint8Array(2000))));
  for (const record of records) assert.deepEqual(await store.get(record.workspaceId, record.id), record);
});

Deno.test("of deliveries that are appended at once no more are kept than may be, the newest", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = deliveryStore(kv, { sealer, retention: { ageMs: 86_400_000, count: 100 }, now });
  const records = Array.from({ length: 300 }, () => recordOf(HERE));
  await Promise.all(records.map((record) => store.append(record, new Uint8Array([1]))));
  const kept = await store.list(HERE, { limit: 1000 });
  assert.ok(kept.length >= 100 && kept.length <= 110, String(kept.length));
  assert.deepEqual(kept.map(({ id }) => id), records.map(({ id }) => id).toReversed().slice(0, kept.length));
  assert.equal(await store.body(HERE, records[0]?.id ?? ""), undefined);
});

Deno.test("a body moved to another delivery cannot be read there", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = deliveryStore(kv, { sealer, retention: { ageMs: 86_400_000, count: 100 }, now });
  const [one, other] = [recordOf(HERE), recordOf(HERE)];
  for (const record of [one, other]) await store.append(record, new TextEncoder().encode(record.id));
  await kv.set(keys.deliveryBody(HERE, other.id), (await kv.get(keys.deliveryBody(HERE, one.id))).value);
  await assert.rejects(store.body(HERE, other.id), { message: /sealed for another place/ });
});

Deno.test("a body whose time ends while it is sealed anew stops nothing", async () => {
  using kv = await Deno.openKv(":memory:");
  const retention = { ageMs: 1000, count: 1000 };
  let time = Date.now();
  const clock = () => new Date(time);
  const record = { ...recordOf(HERE), receivedAt: clock() };
  await deliveryStore(kv, { sealer, retention, now: clock }).append(record, new Uint8Array(10));
  const renewed = await createSealer(new Uint8Array(32).fill(1), [new Uint8Array(32)]);
  const slow = {
    ...renewed,
    unseal(sealed: Uint8Array<ArrayBuffer>, context: string) {
      time += retention.ageMs + 1;
      return renewed.unseal(sealed, context);
    },
  };
  assert.equal(await deliveryStore(kv, { sealer: slow, retention, now: clock }).reseal(), 1);
});
