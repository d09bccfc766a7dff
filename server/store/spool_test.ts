import assert from "node:assert/strict";
import { v7 as uuidv7 } from "uuid";
import { someEvent } from "../../tests/support/events.ts";
import { createSealer } from "../crypto/seal.ts";
import type { SerializedEvent, Spool, SpoolClaim } from "../deps.ts";
import { SpoolFullError, StoreError } from "../errors.ts";
import { acceptedDeliveries } from "./accepted.ts";
import { deadLetterStore } from "./dead_letters.ts";
import { keys } from "./keys.ts";
import { spoolStore } from "./spool.ts";
import { bytesOf } from "./spool_entries.ts";

const HERE = "8f14e45f-ceea-467f-a8b8-1d2f6e0b9c11";
const ELSEWHERE = "9f14e45f-ceea-467f-a8b8-1d2f6e0b9c11";
const DAY_MS = 86_400_000;
const sealer = await createSealer(new Uint8Array(32).fill(7));

function openSpool(kv: Deno.Kv, { limitBytes = 1e9, now = () => new Date(), owner = "a" } = {}): Spool {
  return spoolStore(kv, { sealer, limitBytes, now, owner, dedupeWindowMs: DAY_MS });
}

async function claimed(spool: Spool): Promise<SpoolClaim> {
  return await spool.claim() ?? assert.fail("somebody else has the claim");
}

/** Takes everything of a workspace out, in order. */
async function takeAll(spool: Spool, workspaceId = HERE): Promise<SerializedEvent[]> {
  const claim = await claimed(spool);
  const taken: SerializedEvent[] = [];
  for (;;) {
    const entries = await claim.oldest(workspaceId);
    if (entries.length === 0) break;
    taken.push(...entries.flatMap(({ events }) => events));
    assert.ok(await claim.settle(entries.map((entry) => ({ entry, left: [], dead: [] }))));
  }
  await claim.release();
  return taken;
}

/** The keys of all records of a kind, and of their chunks. */
async function keysOf(kv: Deno.Kv, kind: string): Promise<Deno.KvKey[]> {
  return (await Array.fromAsync(kv.list({ prefix: [] }), ({ key }) => key)).filter((key) => keys.kindOf(key) === kind);
}

/** Has a record lie in more chunks than Deno KV allows mutations in a commit, as one of 60 MB does, a byte in each. */
async function scatter(kv: Deno.Kv, key: Deno.KvKey): Promise<void> {
  const { value } = await kv.get(key);
  assert.ok(value instanceof Uint8Array && value.length > 1000);
  const generation = uuidv7();
  for (const [index, byte] of value.entries()) await kv.set(keys.chunk(key, generation, index), new Uint8Array([byte]));
  await kv.set(key, { generation, chunks: value.length });
}

const idsOf = (events: readonly SerializedEvent[]) => events.map(({ event }) => event.id);

Deno.test("the spool gives back everything, in order, whatever the sizes, and is empty then", async () => {
  using kv = await Deno.openKv(":memory:");
  const spool = openSpool(kv);
  const events = [
    ...Array.from({ length: 700 }, (_, index) => someEvent({ text: `${index} ü\n🔑` })),
    ...[200_000, 30_000, 1_500_000, 44_000, 45_000, 60_000].map((size) => someEvent({ text: "x".repeat(size) })),
    ...Array.from({ length: 30 }, () => someEvent({ text: "ü".repeat(10_000) })),
  ];
  await Promise.all(events.map((event) => spool.append([event])));
  const { events: count, bytes } = await spool.state();
  assert.deepEqual({ count, bytes }, { count: events.length, bytes: bytesOf(events) });
  assert.deepEqual(await takeAll(spool), events);
  const { events: none, bytes: nothing, oldestAt } = await spool.state();
  assert.deepEqual([none, nothing, oldestAt], [0, 0, undefined]);
  assert.equal(await spool.holds(HERE), false);
  const left = await Array.fromAsync(kv.list({ prefix: [] }), ({ key }) => key[0]);
  assert.deepEqual(left.filter((room) => room !== "spool_size"), [], "no chunk is left behind");
});

Deno.test("the events of one append stay together, and are stored with their delivery or not at all", async () => {
  using kv = await Deno.openKv(":memory:");
  const events = Array.from({ length: 300 }, () => someEvent({ text: "x".repeat(1000) }));
  const spool = openSpool(kv, { limitBytes: bytesOf(events) });
  const accepted = acceptedDeliveries(kv, { windowMs: DAY_MS, now: () => new Date() });
  const [first, second] = [{ workspaceId: HERE, id: "first" }, { workspaceId: HERE, id: "second" }];
  await spool.append(events.slice(1), first);
  await assert.rejects(spool.append(events.slice(0, 2), second), SpoolFullError);
  assert.equal(await accepted.has(first), true);
  assert.equal(await accepted.has(second), false);
  assert.equal((await spool.state()).events, 299);
  await spool.append(events.slice(0, 1), second);
  assert.equal(await accepted.has(second), true);
  assert.deepEqual(idsOf(await takeAll(spool)), idsOf([...events.slice(1), ...events.slice(0, 1)]));
});

Deno.test("what does not fit is refused for itself, and the limit holds over a restart", async () => {
  using kv = await Deno.openKv(":memory:");
  const small = Array.from({ length: 10 }, () => someEvent());
  const limitBytes = bytesOf(small);
  const results = await Promise.allSettled([
    ...small.slice(0, 5),
    someEvent({ text: "x".repeat(limitBytes) }),
    ...small.slice(5, 9),
  ].map((event) => openSpool(kv, { limitBytes }).append([event])));
  assert.deepEqual(
    results.map(({ status }) => status === "fulfilled"),
    [..."1111101111"].map((digit) => digit === "1"),
  );
  const restarted = openSpool(kv, { limitBytes });
  await restarted.append(small.slice(9));
  await assert.rejects(restarted.append([someEvent()]), /the spool is full, \d+ bytes \(SPOOL_MAX_BYTES\)/);
  assert.equal((await takeAll(restarted)).length, 10);
});

Deno.test("each workspace has an order of its own", async () => {
  using kv = await Deno.openKv(":memory:");
  const spool = openSpool(kv);
  const events = Array.from({ length: 40 }, (_, index) => someEvent({ workspaceId: index % 2 ? HERE : ELSEWHERE }));
  await Promise.all(events.map((event) => spool.append([event])));
  assert.deepEqual((await spool.workspaces()).sort(), [HERE, ELSEWHERE].sort());
  for (const workspaceId of [HERE, ELSEWHERE]) {
    const expected = events.filter(({ event }) => event.workspaceId === workspaceId);
    assert.deepEqual(idsOf(await takeAll(spool, workspaceId)), idsOf(expected));
  }
});

Deno.test("appends of many workspaces at a time are all kept", async () => {
  using kv = await Deno.openKv(":memory:");
  const spool = openSpool(kv);
  const events = Array.from({ length: 130 }, () => someEvent({ workspaceId: crypto.randomUUID() }));
  await Promise.all(
    events.map((event) => spool.append([event], { workspaceId: event.event.workspaceId, id: "first" })),
  );
  for (const event of events) assert.deepEqual(await takeAll(spool, event.event.workspaceId), [event]);
});

Deno.test("what is left of many entries at a time keeps its place", async () => {
  using kv = await Deno.openKv(":memory:");
  const spool = openSpool(kv);
  const pairs = Array.from(
    { length: 256 },
    () => [someEvent({ text: "x".repeat(700) }), someEvent({ text: "y".repeat(700) })],
  );
  for (const pair of pairs) await spool.append(pair);
  const claim = await claimed(spool);
  const entries = await claim.oldest(HERE);
  assert.equal(entries.length, 256);
  assert.ok(await claim.settle(entries.map((entry) => ({ entry, left: entry.events.slice(1), dead: [] }))));
  await claim.release();
  const left = pairs.flatMap((pair) => pair.slice(1));
  const { events, bytes } = await spool.state();
  assert.deepEqual([events, bytes], [256, bytesOf(left)]);
  assert.deepEqual(await takeAll(spool), left);
});

Deno.test("many small entries and a very large one are taken out together", async () => {
  using kv = await Deno.openKv(":memory:");
  const spool = openSpool(kv);
  const events = [...Array.from({ length: 255 }, () => someEvent()), someEvent({ text: "x".repeat(16_000_000) })];
  for (const event of events) await spool.append([event]);
  assert.deepEqual(idsOf(await takeAll(spool)), idsOf(events));
  const left = await Array.fromAsync(kv.list({ prefix: [] }), ({ key }) => key[0]);
  assert.deepEqual(left.filter((room) => room !== "spool_size"), [], "no chunk is left behind");
});

Deno.test("a clock that is set back puts nothing before what is there, nor does another process", async () => {
  using kv = await Deno.openKv(":memory:");
  let now = new Date("2026-01-02T03:04:05.678Z");
  const [a, b] = ["a", "b"].map((owner) => openSpool(kv, { now: () => now, owner }));
  assert.ok(a && b);
  const events = Array.from({ length: 6 }, () => someEvent());
  for (const [index, event] of events.entries()) {
    await (index % 2 ? a : b).append([event]);
    now = new Date(now.getTime() - 60_000);
  }
  assert.deepEqual(idsOf(await takeAll(a)), idsOf(events));
});

Deno.test("appends of several processes at a time are all kept", async () => {
  using kv = await Deno.openKv(":memory:");
  const now = () => new Date("2026-01-02T03:04:05.678Z");
  const spools = ["a", "b", "c"].map((owner) => openSpool(kv, { now, owner }));
  const events = spools.map(() => Array.from({ length: 50 }, () => someEvent()));
  await Promise.all(spools.flatMap((spool, index) => events[index]?.map((event) => spool.append([event]))));
  const [first] = spools;
  const taken = idsOf(await takeAll(first ?? assert.fail()));
  assert.equal(new Set(taken).size, 150);
  for (const own of events) {
    const ids = new Set(idsOf(own));
    assert.deepEqual(taken.filter((id) => ids.has(id)), [...ids]);
  }
});

Deno.test("one process at a time may empty the spool, until it says nothing for a while", async () => {
  using kv = await Deno.openKv(":memory:");
  let now = new Date("2026-01-02T03:04:05.678Z");
  const [a, b] = ["a", "b"].map((owner) => openSpool(kv, { now: () => now, owner }));
  assert.ok(a && b);
  await a.append([someEvent(), someEvent()]);
  const claim = await claimed(a);
  assert.equal(await b.claim(), undefined);
  const [entry = assert.fail()] = await claim.oldest(HERE);
  now = new Date(now.getTime() + 60_000);
  const taken = await claimed(b);
  assert.equal(await claim.settle([{ entry, left: [], dead: [] }]), false, "who has lost the claim writes nothing");
  assert.equal((await a.state()).events, 2);
  assert.equal(await claim.renew(), false);
  await claim.release();
  assert.equal(await taken.renew(), true, "nor can it release what is another's");
  await taken.release();
  assert.ok(await a.claim());
});

Deno.test("the claim is given back though another process holds the lock just then", async () => {
  using kv = await Deno.openKv(":memory:");
  const claim = await claimed(openSpool(kv, { owner: "a" }));
  const open = kv.atomic.bind(kv);
  kv.atomic = () => {
    kv.atomic = open;
    const atomic = open();
    const commit = atomic.commit.bind(atomic);
    atomic.commit = () => {
      atomic.commit = commit;
      return Promise.reject(new Error("database is locked"));
    };
    return atomic;
  };
  await claim.release();
  assert.ok(await openSpool(kv, { owner: "b" }).claim());
});

Deno.test("a claim made by a clock that was far ahead does not last until then", async () => {
  using kv = await Deno.openKv(":memory:");
  let now = new Date("2026-01-02T04:04:05.678Z");
  const [dead, heir] = ["dead", "heir"].map((owner) => openSpool(kv, { now: () => now, owner }));
  assert.ok(dead && heir);
  await dead.append([someEvent()]);
  const claim = await claimed(dead);
  now = new Date("2026-01-02T03:04:05.678Z");
  const taken = await claimed(heir);
  assert.equal(await claim.renew(), false, "who made it has lost it, should it live after all");
  assert.equal(await taken.renew(), true);
});

Deno.test("a claim that cannot be read keeps nobody from emptying the spool", async () => {
  using kv = await Deno.openKv(":memory:");
  const spool = openSpool(kv);
  for (const nonsense of ["nonsense", new TextEncoder().encode("{")]) {
    await spool.append([someEvent()]);
    await kv.set(keys.spoolClaim(), nonsense);
    assert.equal((await takeAll(spool)).length, 1);
  }
});

Deno.test("what is left of an entry keeps its place; what the broker does not take becomes a dead letter", async () => {
  using kv = await Deno.openKv(":memory:");
  const spool = openSpool(kv);
  const letters = deadLetterStore(kv, { sealer, now: () => new Date() });
  const events = Array.from({ length: 4 }, () => someEvent());
  const [bad = assert.fail()] = events.splice(1, 1);
  await spool.append([...events.slice(0, 1), bad, ...events.slice(1)]);
  const later = someEvent();
  await spool.append([later]);
  const claim = await claimed(spool);
  const [entry = assert.fail()] = await claim.oldest(HERE);
  assert.ok(await claim.settle([{ entry, left: events.slice(1), dead: [{ event: bad, reason: "too odd" }] }]));
  await claim.release();
  const { events: count, bytes, deadLetters } = await spool.state();
  assert.deepEqual([count, bytes], [3, bytesOf([...events.slice(1), later, bad])], "a dead letter takes room");
  assert.equal(deadLetters, 1);
  const [letter = assert.fail(), ...others] = await letters.list(HERE, { limit: 10 });
  assert.deepEqual(others, []);
  assert.deepEqual([letter.eventId, letter.type, letter.reason], [bad.event.id, bad.event.type, "too odd"]);
  assert.deepEqual(await letters.list(ELSEWHERE, { limit: 10 }), []);
  assert.equal(await letters.retry(ELSEWHERE, letter.id), false);

  assert.equal(await letters.retry(HERE, letter.id), true);
  assert.equal(await letters.retry(HERE, letter.id), false);
  assert.deepEqual(await letters.list(HERE, { limit: 10 }), []);
  assert.equal((await spool.state()).deadLetters, 0);
  assert.deepEqual(await takeAll(spool), [...events.slice(1), later, bad]);
  assert.equal((await spool.state()).bytes, 0);
});

Deno.test("a discarded dead letter is gone whole, and its room is free", async () => {
  using kv = await Deno.openKv(":memory:");
  const spool = openSpool(kv);
  const letters = deadLetterStore(kv, { sealer, now: () => new Date() });
  const bad = someEvent({ text: "x".repeat(300_000) });
  await spool.append([bad]);
  const claim = await claimed(spool);
  const [entry = assert.fail()] = await claim.oldest(HERE);
  await claim.settle([{ entry, left: [], dead: [{ event: bad, reason: "too large" }] }]);
  await claim.release();
  const [letter = assert.fail()] = await letters.list(HERE, { limit: 10 });
  assert.equal(letter.bytes, bytesOf([bad]));
  assert.equal(await letters.discard(HERE, letter.id), true);
  assert.equal(await letters.discard(HERE, letter.id), false);
  const { bytes, deadLetters } = await spool.state();
  assert.deepEqual([bytes, deadLetters], [0, 0]);
  const left = await Array.fromAsync(kv.list({ prefix: [] }), ({ key }) => key[0]);
  assert.deepEqual(left, ["spool_size", "spool_size", "spool_size"]);
});

Deno.test("a dead letter of more chunks than a commit deletes is retried and discarded, and leaves nothing", async () => {
  using kv = await Deno.openKv(":memory:");
  const spool = openSpool(kv);
  const letters = deadLetterStore(kv, { sealer, now: () => new Date() });
  const setAside = async () => {
    const claim = await claimed(spool);
    const [entry = assert.fail()] = await claim.oldest(HERE);
    await claim.settle([{ entry, left: [], dead: entry.events.map((event) => ({ event, reason: "too large" })) }]);
    await claim.release();
    const [{ id } = assert.fail()] = await letters.list(HERE, { limit: 1 });
    await scatter(kv, keys.deadLetter(HERE, id));
    return id;
  };
  await spool.append([someEvent({ text: "x".repeat(1000) })]);
  assert.equal(await letters.retry(HERE, await setAside()), true);
  assert.deepEqual(await keysOf(kv, "dead_letter"), []);
  assert.equal(await letters.discard(HERE, await setAside()), true);
  assert.deepEqual([await keysOf(kv, "dead_letter"), await keysOf(kv, "spool")], [[], []]);
  assert.equal((await spool.state()).bytes, 0);
});

Deno.test("an event keeps its trace in the spool, and as a dead letter that is retried", async () => {
  using kv = await Deno.openKv(":memory:");
  const spool = openSpool(kv);
  const letters = deadLetterStore(kv, { sealer, now: () => new Date() });
  const traced = { ...someEvent(), traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01` };
  const plain = someEvent();
  await spool.append([traced, plain]);
  const claim = await claimed(spool);
  const [entry = assert.fail()] = await claim.oldest(HERE);
  assert.deepEqual(entry.events, [traced, plain]);
  await claim.settle([{ entry, left: [plain], dead: [{ event: traced, reason: "too odd" }] }]);
  await claim.release();
  const [letter = assert.fail()] = await letters.list(HERE, { limit: 10 });
  await letters.retry(HERE, letter.id);
  assert.deepEqual(await takeAll(spool), [plain, traced]);
});

Deno.test("a copied database without the key reveals no spooled payload", async () => {
  using kv = await Deno.openKv(":memory:");
  const spool = openSpool(kv);
  await spool.append([someEvent({ text: "a telling payload" }), someEvent({ text: "telling".repeat(20_000) })]);
  for await (const { value } of kv.list({ prefix: [] })) {
    if (!(value instanceof Uint8Array)) continue;
    const text = new TextDecoder().decode(value);
    for (const told of ["telling", btoa("telling")]) assert.ok(!text.includes(told));
  }
  const other = spoolStore(kv, {
    sealer: await createSealer(new Uint8Array(32).fill(8)),
    limitBytes: 1e9,
    now: () => new Date(),
    dedupeWindowMs: 0,
  });
  await assert.rejects((await claimed(other)).oldest(HERE), /another key/);
});

Deno.test("an entry that cannot be read is an error, never passed over", async () => {
  using kv = await Deno.openKv(":memory:");
  const spool = openSpool(kv);
  await spool.append([someEvent()]);
  for await (const { key } of kv.list({ prefix: ["spool"] })) await kv.set(key, "nonsense");
  await assert.rejects((await claimed(spool)).oldest(HERE), StoreError);
});

Deno.test("an entry that cannot be unsealed is an error, however many come after it", async () => {
  using kv = await Deno.openKv(":memory:");
  const options = { limitBytes: 1e9, now: () => new Date(), dedupeWindowMs: 0 };
  await spoolStore(kv, { ...options, sealer: await createSealer(new Uint8Array(32).fill(8)) }).append([someEvent()]);
  const spool = openSpool(kv);
  for (let index = 0; index < 100; index++) await spool.append([someEvent()]);
  await assert.rejects((await claimed(spool)).oldest(HERE), /another key/);
});

Deno.test("the state tells when the oldest event was stored", async () => {
  using kv = await Deno.openKv(":memory:");
  let now = new Date("2026-01-02T03:04:05.678Z");
  const spool = openSpool(kv, { now: () => now });
  await spool.append([someEvent({ workspaceId: ELSEWHERE })]);
  const first = now;
  now = new Date(now.getTime() + 60_000);
  await spool.append([someEvent()]);
  assert.deepEqual((await spool.state()).oldestAt, first);
});

Deno.test("after the key was replaced everything is readable with the new one alone", async () => {
  using kv = await Deno.openKv(":memory:");
  const [old, bad] = [someEvent(), someEvent()];
  const spool = openSpool(kv);
  await spool.append([bad]);
  const claim = await claimed(spool);
  const [entry = assert.fail()] = await claim.oldest(HERE);
  await claim.settle([{ entry, left: [], dead: [{ event: bad, reason: "too odd" }] }]);
  await claim.release();
  await spool.append([old]);
  const [oldKey, newKey] = [new Uint8Array(32).fill(7), new Uint8Array(32).fill(8)];
  const options = { limitBytes: 1e9, dedupeWindowMs: 0, now: () => new Date() };
  const both = await createSealer(newKey, [oldKey]);
  assert.equal(await spoolStore(kv, { ...options, sealer: both }).reseal(), 1);
  assert.equal(await deadLetterStore(kv, { ...options, sealer: both }).reseal(), 1);
  const only = await createSealer(newKey);
  const [letter = assert.fail()] = await deadLetterStore(kv, { ...options, sealer: only }).list(HERE, { limit: 1 });
  assert.equal(await deadLetterStore(kv, { ...options, sealer: only }).retry(HERE, letter.id), true);
  assert.deepEqual(await takeAll(spoolStore(kv, { ...options, sealer: only })), [old, bad]);
});

Deno.test("what is moved to another workspace's spool or dead letters cannot be read there", async () => {
  using kv = await Deno.openKv(":memory:");
  const spool = openSpool(kv);
  const letters = deadLetterStore(kv, { sealer, now: () => new Date() });
  const moved = { message: /sealed for another place/ };
  await spool.append([someEvent()]);
  const claim = await claimed(spool);
  const [entry = assert.fail()] = await claim.oldest(HERE);
  await kv.set(
    keys.spoolEntry(ELSEWHERE, entry.position),
    (await kv.get(keys.spoolEntry(HERE, entry.position))).value,
  );
  await assert.rejects(claim.oldest(ELSEWHERE), moved);
  await claim.settle([{ entry, left: [], dead: entry.events.map((event) => ({ event, reason: "refused" })) }]);
  const [letter = assert.fail()] = await letters.list(HERE, { limit: 1 });
  await kv.set(keys.deadLetter(ELSEWHERE, letter.id), (await kv.get(keys.deadLetter(HERE, letter.id))).value);
  await assert.rejects(letters.retry(ELSEWHERE, letter.id), moved);
});
