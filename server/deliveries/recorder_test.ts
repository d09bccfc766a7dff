import assert from "node:assert/strict";
import type { DeliveryRecord } from "../deps.ts";
import { createSealer } from "../crypto/seal.ts";
import { activityStore } from "../store/activity.ts";
import { deliveryStore } from "../store/deliveries.ts";
import { keys } from "../store/keys.ts";
import { createRecorder, type Recorder } from "./recorder.ts";
import { v7 as uuidv7 } from "uuid";

const HERE = "8f14e45f-ceea-467f-a8b8-1d2f6e0b9c11";
const ELSEWHERE = "9f14e45f-ceea-467f-a8b8-1d2f6e0b9c11";
const NOW = new Date("2026-01-02T03:04:05.678Z");
const HOUR_MS = 3_600_000;
const sealer = await createSealer(new Uint8Array(32));

/** Types of one source are its sender's choice. */
const triggerOf = (type: string) => type.startsWith("chosen.") ? "chosen.*.*" : type;

function recordOf(change: Partial<DeliveryRecord> = {}): DeliveryRecord {
  return {
    id: uuidv7(),
    workspaceId: HERE,
    connectorId: "sample",
    receivedAt: NOW,
    deliveryId: "d-1",
    status: 200,
    refusal: null,
    published: 2,
    queued: 0,
    duplicate: false,
    events: [{ id: "fb56ac83-6fc3-566a-a55e-09c93485a197", type: "sample.thing.made" }],
    durationMs: 4,
    bodyBytes: 17,
    headers: { "content-type": "application/json" },
    bodyKept: false,
    ...change,
  };
}

async function withStores(
  run: (parts: {
    recorder: Recorder;
    deliveries: ReturnType<typeof deliveryStore>;
    activity: ReturnType<typeof activityStore>;
    kv: Deno.Kv;
    setNow: (now: Date) => void;
  }) => Promise<void>,
  count = 1000,
): Promise<void> {
  using kv = await Deno.openKv(":memory:");
  let now = NOW;
  const deliveries = deliveryStore(kv, { sealer, retention: { ageMs: 24 * HOUR_MS, count }, now: () => now });
  const activity = activityStore(kv);
  const recorder = createRecorder({ deliveries, activity, triggerOf, now: () => now, gatherMs: 0 });
  await run({ recorder, deliveries, activity, kv, setNow: (time) => now = time });
  await recorder.flush();
}

Deno.test("a recorded delivery comes back with its body, and the body is sealed on disk", () =>
  withStores(async ({ recorder, deliveries, kv }) => {
    const record = recordOf({ bodyKept: true });
    const body = new TextEncoder().encode('{"a":"a telling body"}');
    recorder.record({ record, body, types: [] });
    await recorder.flush();
    assert.deepEqual(await deliveries.get(HERE, record.id), record);
    assert.deepEqual(await deliveries.body(HERE, record.id), body);
    assert.equal(await deliveries.get(ELSEWHERE, record.id), undefined);
    for await (const { value } of kv.list({ prefix: [] })) {
      if (value instanceof Uint8Array) assert.ok(!new TextDecoder().decode(value).includes("telling"));
    }
  }));

Deno.test("a body of 2 MB is kept whole", () =>
  withStores(async ({ recorder, deliveries }) => {
    const body = crypto.getRandomValues(new Uint8Array(65_536));
    const large = new Uint8Array(2_000_000).map((_, index) => body[index % body.length] ?? 0);
    const record = recordOf({ bodyKept: true });
    recorder.record({ record, body: large, types: [] });
    await recorder.flush();
    assert.deepEqual(await deliveries.body(HERE, record.id), large);
  }));

Deno.test("deliveries are listed newest first, page by page, by workspace and by connector", () =>
  withStores(async ({ recorder, deliveries }) => {
    const records = Array.from(
      { length: 30 },
      (_, index) => recordOf({ connectorId: index % 3 === 0 ? "other" : "sample" }),
    );
    for (const record of [...records, recordOf({ workspaceId: ELSEWHERE })]) {
      recorder.record({ record, body: undefined, types: [] });
    }
    await recorder.flush();
    const ids = records.map(({ id }) => id).toReversed();
    const first = await deliveries.list(HERE, { limit: 20 });
    assert.deepEqual(first.map(({ id }) => id), ids.slice(0, 20));
    const second = await deliveries.list(HERE, { limit: 20, before: first.at(-1)?.id ?? "" });
    assert.deepEqual(second.map(({ id }) => id), ids.slice(20));
    const others = await deliveries.list(HERE, { limit: 4, connectorId: "other" });
    assert.deepEqual(others.map(({ connectorId }) => connectorId), ["other", "other", "other", "other"]);
  }));

Deno.test("no more than the retained number of deliveries stays, the newest, with their bodies only", () =>
  withStores(async ({ recorder, deliveries, kv }) => {
    const records = Array.from({ length: 100 }, () => recordOf({ bodyKept: true }));
    for (const record of records) {
      recorder.record({ record, body: new Uint8Array(100_000), types: [] });
      await recorder.flush();
    }
    const left = await deliveries.list(HERE, { limit: 1000 });
    assert.ok(left.length >= 10 && left.length <= 12, `${left.length} are left`);
    assert.equal(left[0]?.id, records.at(-1)?.id);
    assert.equal((await Array.fromAsync(kv.list({ prefix: ["delivery_body"] }))).length, left.length);
    assert.equal((await Array.fromAsync(kv.list({ prefix: ["chunk"] }))).length, left.length * 3);
  }, 10));

Deno.test("a delivery over the retained age is not shown any more", () =>
  withStores(async ({ recorder, deliveries, setNow }) => {
    const record = recordOf();
    recorder.record({ record, body: undefined, types: [] });
    await recorder.flush();
    setNow(new Date(NOW.getTime() + 25 * HOUR_MS));
    assert.deepEqual(await deliveries.list(HERE, { limit: 10 }), []);
    assert.equal(await deliveries.get(HERE, record.id), undefined);
  }));

Deno.test("activity sums events by minute over an hour and tells of the newest refusal", () =>
  withStores(async ({ recorder, activity }) => {
    const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);
    for (const [minutes, published] of [[200, 9], [61, 9], [59, 1], [3, 2], [3, 5], [0, 1]] as const) {
      recorder.record({ record: recordOf({ receivedAt: ago(minutes), published }), body: undefined, types: [] });
      await recorder.flush();
    }
    const [healthy] = await activity.read(HERE, NOW);
    assert.equal(healthy?.perMinute.length, 60);
    assert.deepEqual([healthy?.perMinute[0], healthy?.perMinute[56], healthy?.perMinute[59]], [1, 7, 1]);
    assert.equal(healthy?.perMinute.reduce((sum, count) => sum + count, 0), 9);
    assert.equal(healthy?.refusal, null);

    const refused = recordOf({ status: 401, refusal: "no signature", published: 0 });
    recorder.record({ record: refused, body: undefined, types: [] });
    await recorder.flush();
    const [unwell] = await activity.read(HERE, NOW);
    assert.deepEqual(unwell?.refusal, { at: NOW, status: 401, reason: "no signature" });
    assert.deepEqual(unwell?.lastEventAt, NOW);
    assert.deepEqual(await activity.read(ELSEWHERE, NOW), []);
  }));

Deno.test("activity tells of what comes after a clock that was ahead is set back", () =>
  withStores(async ({ recorder, activity }) => {
    const tomorrow = new Date(NOW.getTime() + 24 * HOUR_MS);
    const refused = recordOf({ receivedAt: tomorrow, status: 401, refusal: "no signature", published: 0 });
    for (const record of [refused, recordOf()]) {
      recorder.record({ record, body: undefined, types: [] });
      await recorder.flush();
    }
    const [told] = await activity.read(HERE, NOW);
    assert.deepEqual([told?.lastEventAt, told?.refusal], [NOW, null]);
  }));

Deno.test("events are counted by trigger, in all of a delivery, once, for ever, and by workspace", () =>
  withStores(async ({ recorder, activity }) => {
    const types = [...Array.from({ length: 60 }, () => "sample.thing.made"), "chosen.a.b", "chosen.c.d"];
    const record = recordOf({ published: 60, queued: 2 });
    recorder.record({ record, body: undefined, types });
    recorder.record({ record: { ...record, published: 0, queued: 0, duplicate: true }, body: undefined, types });
    await recorder.flush();
    recorder.count(recordOf({ published: 1, receivedAt: new Date(0) }), ["sample.thing.made"]);
    await recorder.flush();
    assert.deepEqual(Object.fromEntries(await activity.eventCounts(HERE)), {
      "chosen.*.*": 2,
      "sample.thing.made": 61,
    });
    assert.equal((await activity.eventCounts(ELSEWHERE)).size, 0);
  }));

Deno.test("records that are damaged keep no other connector's deliveries from being recorded", () =>
  withStores(async ({ recorder, deliveries, activity, kv }) => {
    await kv.set(keys.eventCount(HERE, "sample.thing.made"), "no counter");
    await kv.set(keys.outcome(ELSEWHERE, "sample"), "no outcome");
    for (const workspaceId of [HERE, ELSEWHERE]) {
      const record = recordOf({ workspaceId });
      recorder.record({ record, body: undefined, types: ["sample.thing.made"] });
    }
    await recorder.flush();
    for (const workspaceId of [HERE, ELSEWHERE]) {
      assert.equal((await deliveries.list(workspaceId, { limit: 9 })).length, 1);
    }
    assert.deepEqual((await activity.read(ELSEWHERE, NOW)).map(({ lastEventAt }) => lastEventAt), [NOW]);
  }));

Deno.test("every event is counted, and the log keeps a burst, then some of each second, the newest", () =>
  withStores(async ({ recorder, deliveries, activity, setNow }) => {
    const burst = async (name: string, count: number) => {
      for (let index = 0; index < count; index++) {
        recorder.record({
          record: recordOf({ deliveryId: `${name}-${index}`, published: 1 }),
          body: undefined,
          types: [],
        });
      }
      await recorder.flush();
    };
    const keptOf = async (name: string) => {
      const kept = await deliveries.list(HERE, { limit: 1000 });
      return kept.map(({ deliveryId }) => deliveryId ?? "").filter((id) => id.startsWith(name));
    };
    await burst("first", 1000);
    assert.equal((await keptOf("first")).length, 500);
    assert.equal((await keptOf("first"))[0], "first-999");
    await burst("at once", 10);
    assert.equal((await keptOf("at once")).length, 0);
    setNow(new Date(NOW.getTime() + 1000));
    await burst("a second later", 1000);
    assert.equal((await keptOf("a second later")).length, 10);
    setNow(new Date(NOW.getTime() + 1_000_000));
    await burst("much later", 1000);
    assert.equal((await keptOf("much later")).length, 500);
    await burst("at once again", 10);
    assert.equal((await keptOf("at once again")).length, 0, "a pause saves up no more than a burst");
    assert.equal((await activity.read(HERE, NOW))[0]?.perMinute[59], 3020);
  }, 5000));

Deno.test("who sends much pushes nobody else out of the log", () =>
  withStores(async ({ recorder, deliveries }) => {
    const quiet = recordOf({ workspaceId: ELSEWHERE });
    recorder.record({ record: quiet, body: undefined, types: [] });
    for (let index = 0; index < 600; index++) recorder.record({ record: recordOf(), body: undefined, types: [] });
    await recorder.flush();
    assert.equal((await deliveries.list(HERE, { limit: 1000 })).length, 499);
    assert.deepEqual((await deliveries.list(ELSEWHERE, { limit: 1000 })).map(({ id }) => id), [quiet.id]);
  }));

Deno.test("a body that is too large is not kept, and the record says so", () =>
  withStores(async ({ recorder, deliveries }) => {
    const record = recordOf({ bodyKept: true });
    recorder.record({ record, body: new Uint8Array(5_000_000), types: [] });
    for (let index = 0; index < 10; index++) {
      recorder.record({ record: recordOf({ bodyKept: true }), body: new Uint8Array(3_000_000), types: [] });
    }
    await recorder.flush();
    assert.equal((await deliveries.get(HERE, record.id))?.bodyKept, false);
    assert.equal(await deliveries.body(HERE, record.id), undefined);
    const kept = await deliveries.list(HERE, { limit: 100 });
    assert.equal(kept.filter(({ bodyKept }) => bodyKept).length, 5);
  }));
