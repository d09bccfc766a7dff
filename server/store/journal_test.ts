import assert from "node:assert/strict";
import { someEvent } from "../../tests/support/events.ts";
import { createSealer } from "../crypto/seal.ts";
import { acceptedDeliveries } from "./accepted.ts";
import { journalStore } from "./journal.ts";

const HERE = "8f14e45f-ceea-467f-a8b8-1d2f6e0b9c11";
const ELSEWHERE = "9f14e45f-ceea-467f-a8b8-1d2f6e0b9c11";
const DAY_MS = 86_400_000;
const sealer = await createSealer(new Uint8Array(32));
const now = () => new Date();
const eventsOf = (count: number, text = "", workspaceId = HERE) =>
  Array.from({ length: count }, () => someEvent({ text, workspaceId }));
const idsOf = (events: readonly { event: { id: string } }[]) => events.map(({ event }) => event.id);

async function idsAfter(journal: ReturnType<typeof journalStore>, id?: string, workspaceId = HERE): Promise<string[]> {
  return await Array.fromAsync(journal.after(workspaceId, id), ({ id }) => id);
}

Deno.test("the journal continues exactly after an event, in order, whatever the sizes", async () => {
  using kv = await Deno.openKv(":memory:");
  const journal = journalStore(kv, {
    sealer,
    retention: { ageMs: DAY_MS, count: 10_000 },
    dedupeWindowMs: DAY_MS,
    now,
  });
  const events = [
    ...eventsOf(450),
    ...eventsOf(3, "x".repeat(200_000)),
    ...eventsOf(30, "ü".repeat(20_000)),
    ...eventsOf(5),
  ];
  await Promise.all(events.map((event) => journal.append([event])));
  for (const from of [0, 1, 199, 200, 449, 451, 470, 486]) {
    assert.deepEqual(await idsAfter(journal, events[from]?.event.id), idsOf(events.slice(from + 1)));
  }
  assert.deepEqual(await idsAfter(journal), idsOf(events));
  const [first] = await Array.fromAsync(journal.after(HERE, events[449]?.event.id));
  assert.equal(first?.json, events[450]?.json);
  await journal.idle();
});

Deno.test("a repeated event keeps its first place", async () => {
  using kv = await Deno.openKv(":memory:");
  const journal = journalStore(kv, {
    sealer,
    retention: { ageMs: DAY_MS, count: 10_000 },
    dedupeWindowMs: DAY_MS,
    now,
  });
  const [a, b, c] = eventsOf(3);
  assert.ok(a && b && c);
  await journal.append([a, b]);
  await Promise.all([journal.append([a, c]), journal.append([b])]);
  assert.deepEqual(await idsAfter(journal, a.event.id), idsOf([b, c]));
});

Deno.test("a delivery is accepted when its last event is stored, also where a repeat is among the events", async () => {
  using kv = await Deno.openKv(":memory:");
  const journal = journalStore(kv, {
    sealer,
    retention: { ageMs: DAY_MS, count: 10_000 },
    dedupeWindowMs: DAY_MS,
    now,
  });
  const accepted = acceptedDeliveries(kv, { windowMs: DAY_MS, now });
  const deliveryOf = (id: string) => ({ workspaceId: HERE, id });
  const [a, b, c, ...many] = eventsOf(200);
  assert.ok(a && b && c);
  await Promise.all([journal.append([a], deliveryOf("first")), journal.append(many, deliveryOf("many"))]);
  await Promise.all([journal.append([a], deliveryOf("again")), journal.append([b, c], deliveryOf("new"))]);
  await journal.append(eventsOf(1));
  for (const id of ["first", "many", "again", "new"]) assert.equal(await accepted.has(deliveryOf(id)), true, id);
  assert.equal(await accepted.has(deliveryOf("other")), false);
  assert.deepEqual((await idsAfter(journal)).slice(0, -1), idsOf([a, ...many, b, c]));
});

Deno.test("the journal holds no other workspace's events", async () => {
  using kv = await Deno.openKv(":memory:");
  const journal = journalStore(kv, {
    sealer,
    retention: { ageMs: DAY_MS, count: 10_000 },
    dedupeWindowMs: DAY_MS,
    now,
  });
  const here = eventsOf(3);
  const elsewhere = eventsOf(3, "", ELSEWHERE);
  for (let index = 0; index < 3; index++) await journal.append([...here, ...elsewhere].slice(index, index + 4));
  assert.deepEqual(await idsAfter(journal, here[0]?.event.id), idsOf(here.slice(1)));
  assert.deepEqual(await idsAfter(journal, undefined, ELSEWHERE), idsOf(elsewhere));
  assert.equal(await journal.has(HERE, elsewhere[0]?.event.id ?? ""), false);
});

Deno.test("the journal keeps no more than its share, the newest, and forgets the rest whole", async () => {
  using kv = await Deno.openKv(":memory:");
  const journal = journalStore(kv, { sealer, retention: { ageMs: DAY_MS, count: 100 }, dedupeWindowMs: DAY_MS, now });
  const events = eventsOf(500);
  for (const event of events) await journal.append([event]);
  await journal.idle();
  const left = await idsAfter(journal);
  // A tenth more than its share, and what may have been written just when it counted.
  assert.ok(left.length >= 100 && left.length <= 120, `${left.length} are left`);
  assert.deepEqual(left, idsOf(events).slice(-left.length));
  assert.equal((await Array.fromAsync(kv.list({ prefix: ["journal_position"] }))).length, left.length);
  assert.equal(await journal.has(HERE, events[0]?.event.id ?? ""), false);
  assert.equal(await journal.has(HERE, events.at(-1)?.event.id ?? ""), true);
});

Deno.test("the journal's events are sealed, each bundle for its place, and sealed anew with the present key", async () => {
  using kv = await Deno.openKv(":memory:");
  const retention = { ageMs: DAY_MS, count: 100 };
  const journal = journalStore(kv, { sealer, retention, dedupeWindowMs: DAY_MS, now });
  const events = eventsOf(5, "for nobody else");
  await Promise.all(events.map((event) => journal.append([event])));
  const bytes = await Array.fromAsync(kv.list({ prefix: [] }), ({ value }) => {
    return value instanceof Uint8Array ? new TextDecoder().decode(value) : "";
  });
  assert.ok(!bytes.join().includes("for nobody else"));

  const ring = await createSealer(new Uint8Array(32).fill(1), [new Uint8Array(32)]);
  const renewed = journalStore(kv, { sealer: ring, retention, dedupeWindowMs: DAY_MS, now });
  assert.ok(await renewed.reseal() > 0);
  assert.equal(await renewed.reseal(), 0);
  assert.deepEqual(await idsAfter(renewed, events[1]?.event.id), idsOf(events.slice(2)));
  await assert.rejects(idsAfter(journal), { name: "EncryptionKeyError" });
  await journal.idle();
});

/** The journals of two processes on one store, of which the second's clock is off. */
async function withTwo(
  offMs: number,
  run: (here: ReturnType<typeof journalStore>, there: ReturnType<typeof journalStore>) => Promise<void>,
): Promise<void> {
  using kv = await Deno.openKv(":memory:");
  const retention = { ageMs: DAY_MS, count: 10_000 };
  const at = Date.parse("2026-01-02T03:04:05.678Z");
  const here = journalStore(kv, { sealer, retention, dedupeWindowMs: 0, now: () => new Date(at) });
  const there = journalStore(kv, { sealer, retention, dedupeWindowMs: 0, now: () => new Date(at + offMs) });
  // Neither finds what the other writes when it begins to write.
  for (const journal of offMs < 0 ? [there, here] : [here, there]) {
    await journal.append(eventsOf(1, "", "7f14e45f-ceea-467f-a8b8-1d2f6e0b9c11"));
  }
  await run(here, there);
}

for (const offMs of [-4000, 0, 4000]) {
  Deno.test(`of another process whose clock is ${offMs} ms off, nothing is left out after an event`, () =>
    withTwo(offMs, async (here, there) => {
      const [a, b, c, x, y] = eventsOf(5);
      assert.ok(a && b && c && x && y);
      await here.append([a]);
      await there.append([x]);
      await here.append([b]);
      await there.append([y]);
      await here.append([c]);
      const after = await idsAfter(here, b.event.id);
      assert.equal(new Set(after).size, after.length);
      assert.deepEqual([...after].sort(), idsOf([c, x, y]).sort(), "x may have been on its way when b was shown");
      assert.ok(after.indexOf(x.event.id) < after.indexOf(y.event.id), "each process's are in order");
      assert.deepEqual(await idsAfter(there, b.event.id), after);
    }));

  Deno.test(`what another process writes is followed, each once, with its clock ${offMs} ms off`, () =>
    withTwo(offMs, async (here, there) => {
      const [before, own, ...news] = eventsOf(12);
      assert.ok(before && own);
      await there.append([before]);
      const follow = await here.follow(HERE);
      const nothingKnown = () => false;
      const found = () => Array.fromAsync(follow(nothingKnown), ({ id }) => id);
      assert.deepEqual(await found(), []);
      await here.append([own]);
      for (const event of news.slice(0, 5)) await there.append([event]);
      await there.append(eventsOf(3, "", ELSEWHERE));
      assert.deepEqual(await found(), idsOf(news.slice(0, 5)));
      assert.deepEqual(await found(), []);
      await there.append(news.slice(5));
      const known = new Set(idsOf(news.slice(6)));
      assert.deepEqual(await Array.fromAsync(follow((id) => known.has(id)), ({ id }) => id), idsOf(news.slice(5, 6)));
    }));
}

Deno.test("a process that begins to write later is followed from its first event", () =>
  withTwo(-4000, async (here, there) => {
    const follow = await here.follow(HERE);
    const events = eventsOf(2);
    await there.append(events);
    assert.deepEqual(await Array.fromAsync(follow(() => false), ({ id }) => id), idsOf(events));
  }));

Deno.test("what is written while the store cannot be read is followed, too", async () => {
  using kv = await Deno.openKv(":memory:");
  const retention = { ageMs: DAY_MS, count: 10_000 };
  let at = Date.parse("2026-01-02T03:04:05.678Z");
  const open = () => journalStore(kv, { sealer, retention, dedupeWindowMs: 0, now: () => new Date(at) });
  const [here, there] = [open(), open()];
  await there.append(eventsOf(2));
  at += 60_000;
  const { list } = kv;
  kv.list = () => {
    throw new TypeError("database is locked");
  };
  const follow = await here.follow(HERE);
  await assert.rejects(Array.fromAsync(follow(() => false)), /locked/);
  const missed = eventsOf(3);
  await there.append(missed.slice(0, 2));
  kv.list = list;
  await there.append(missed.slice(2));
  assert.deepEqual(await Array.fromAsync(follow(() => false), ({ id }) => id), idsOf(missed));
});

Deno.test("after an event that two processes published, nothing is left out of what either wrote just before", () =>
  withTwo(0, async (here, there) => {
    const [a, b, copied, c] = eventsOf(4);
    assert.ok(a && b && copied && c);
    await here.append([a]);
    await there.append([b]);
    await here.append([copied]);
    assert.deepEqual(await idsAfter(here, copied.event.id), [b.event.id], "only one did as yet");
    for (let copy = 0; copy < 2; copy++) await there.append([copied]);
    await here.append([c]);
    for (const journal of [here, there]) {
      assert.deepEqual((await idsAfter(journal, copied.event.id)).sort(), idsOf([a, b, copied, c]).sort());
      assert.equal((await idsAfter(journal)).length, 4, "it is there once");
    }
  }));

Deno.test("after an event of the time before the clock was set back, nothing is left out of what was written since", async () => {
  using kv = await Deno.openKv(":memory:");
  const retention = { ageMs: DAY_MS, count: 10_000 };
  const startAt = (time: string) =>
    journalStore(kv, { sealer, retention, dedupeWindowMs: 0, now: () => new Date(time) });
  const [ahead, first, second] = eventsOf(3);
  assert.ok(ahead && first && second);
  const before = startAt("2026-01-02T06:00:00Z");
  await before.append([ahead]);
  const follow = await before.follow(HERE);
  const restarted = startAt("2026-01-02T03:00:00Z");
  await restarted.append([first]);
  await restarted.append([second]);
  assert.deepEqual(await idsAfter(restarted, ahead.event.id), idsOf([first, second]));
  assert.deepEqual(await Array.fromAsync(follow(() => false), ({ id }) => id), idsOf([first, second]));
});

Deno.test("events that cannot be read hide none of those after them", async () => {
  using kv = await Deno.openKv(":memory:");
  const retention = { ageMs: DAY_MS, count: 10_000 };
  const journal = journalStore(kv, { sealer, retention, dedupeWindowMs: DAY_MS, now });
  const events = eventsOf(30);
  for (const event of events) await journal.append([event]);
  for await (const { key } of kv.list({ prefix: ["journal", HERE] }, { limit: 1 })) await kv.set(key, "nonsense");
  assert.deepEqual(await idsAfter(journal), idsOf(events.slice(1)));
});

Deno.test("a process's events come in order also where one is stored late, before others' that were read already", async () => {
  using kv = await Deno.openKv(":memory:");
  const clock = { here: now().getTime(), there: now().getTime() + 1000 };
  const open = (process: keyof typeof clock) => {
    const retention = { ageMs: DAY_MS, count: 10_000 };
    return journalStore(kv, { sealer, retention, dedupeWindowMs: 0, now: () => new Date(clock[process]) });
  };
  const [here, there] = [open("here"), open("there")];
  const [first, late, next] = eventsOf(3);
  assert.ok(first && late && next);
  const others = eventsOf(40);
  await here.append([first]);
  for (const event of others) await there.append([event]);
  const ids: string[] = [];
  for await (const { id } of here.after(HERE, first.event.id)) {
    if (ids.push(id) !== 1) continue;
    await here.append([late]);
    clock.here += 2000;
    await here.append([next]);
  }
  assert.deepEqual(ids, idsOf([...others, late, next]), "whoever has the next one resumes after it");
});
