import assert from "node:assert/strict";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { someEvent } from "../../tests/support/events.ts";
import { createSealer } from "../crypto/seal.ts";
import type { Exchange, Spool } from "../deps.ts";
import { BrokerUnavailableError, EventRefusedError, EventTooLargeError } from "../errors.ts";
import { spoolStore } from "../store/spool.ts";
import { Drain } from "./drain.ts";
import { LateConfirms } from "./late.ts";
import { Patience } from "./patience.ts";

const HERE = "8f14e45f-ceea-467f-a8b8-1d2f6e0b9c11";
/** More than is read of a workspace at a time. */
const LARGE = "x".repeat(600_000);
const now = () => new Date();
const sealer = await createSealer(new Uint8Array(32).fill(7));

const openSpool = (kv: Deno.Kv, clock = now) =>
  spoolStore(kv, { sealer, limitBytes: 1e9, dedupeWindowMs: 0, now: clock });
const pause = () => new Promise((resolve) => setTimeout(resolve, 10));

/** An exchange whose queues confirm or not, by workspace. */
function exchangeOf(confirm: (workspaceId: string) => Promise<void>): Exchange {
  return {
    async publish(events) {
      for (const { event } of events) await confirm(event.workspaceId);
      return { published: events.length, unrouted: 0, queued: 0 };
    },
    health: () => ({ ok: true, detail: "" }),
    unrouted: () => 0,
    close: () => Promise.resolve(),
  };
}

Deno.test("workspaces whose queues confirm nothing leave the others their turns", async () => {
  using kv = await Deno.openKv(":memory:");
  const spool = openSpool(kv);
  for (const digit of "123") await spool.append([someEvent({ workspaceId: digit + HERE.slice(1) })]);
  for (let index = 0; index < 3; index++) await spool.append([someEvent({ text: LARGE })]);
  const tried: string[] = [];
  const silence = Promise.withResolvers<void>();
  const exchange = exchangeOf((workspaceId) => {
    tried.push(workspaceId);
    return workspaceId === HERE ? Promise.resolve() : silence.promise;
  });
  const waits = { pauseMs: { first: 1, most: 1 }, confirmMs: 50, lateMs: 1 };
  const drain = new Drain({ exchange, spool, late: new LateConfirms(), now, ...waits });
  while (await spool.holds(HERE)) await pause();
  const silent = tried.slice(0, tried.lastIndexOf(HERE)).filter((workspaceId) => workspaceId !== HERE);
  assert.equal(silent.length, 4, "each once, and one of them again");
  silence.resolve();
  while ((await spool.workspaces()).length > 0) await pause();
  await drain.close();
});

Deno.test("however many events of a delivery are too large, all become dead letters", async () => {
  using kv = await Deno.openKv(":memory:");
  const spool = openSpool(kv);
  const events = Array.from({ length: 110 }, () => someEvent({ text: "x".repeat(1000) }));
  await spool.append(events);
  const exchange = exchangeOf(() => Promise.reject(new EventTooLargeError("Cannot publish: it is too large")));
  const drain = new Drain({ exchange, spool, late: new LateConfirms(), now, pauseMs: { first: 1, most: 1 } });
  while (await spool.holds(HERE)) await pause();
  assert.equal((await spool.state()).deadLetters, events.length);
  await drain.close();
});

Deno.test("one event over which the channel is closed has the others of its delivery written anew a few times only", async () => {
  using kv = await Deno.openKv(":memory:");
  const spool = openSpool(kv);
  const events = Array.from({ length: 200 }, () => someEvent({ text: "x".repeat(1000) }));
  await spool.append(events);
  const bad = events[100]?.event.id;
  const published: string[] = [];
  // All that are under way when the channel is closed are lost with it.
  let underWay: string[] = [];
  let closed = Promise.resolve(false);
  const exchange: Exchange = {
    ...exchangeOf(() => Promise.resolve()),
    async publish([{ event: { id } } = assert.fail()]) {
      if (underWay.length === 0) {
        closed = pause().then(() => {
          const isClosed = underWay.some((id) => id === bad);
          underWay = [];
          return isClosed;
        });
      }
      underWay.push(id);
      if (await closed) throw new EventRefusedError("Cannot publish: the channel was closed", true);
      published.push(id);
      return { published: 1, unrouted: 0, queued: 0 };
    },
  };
  let writes = 0;
  const claim = spool.claim;
  const counting: Spool = {
    ...spool,
    async claim() {
      const claimed = await claim();
      return claimed && {
        oldest: (workspaceId) => claimed.oldest(workspaceId),
        settle: (rests) => {
          writes++;
          return claimed.settle(rests);
        },
        renew: () => claimed.renew(),
        release: () => claimed.release(),
      };
    },
  };
  const waits = { pauseMs: { first: 1, most: 1 }, carefulMs: Infinity };
  const drain = new Drain({ exchange, spool: counting, late: new LateConfirms(), now, ...waits });
  while ((await spool.workspaces()).length > 0) await pause();
  await drain.close();
  const others = events.map(({ event }) => event.id).filter((id) => id !== bad);
  assert.deepEqual(published, others, "in order, each once");
  assert.ok(writes < 10, `${writes} times`);
});

Deno.test("while all workspaces pause, nothing that is spooled takes the right to empty the spool", async () => {
  using kv = await Deno.openKv(":memory:");
  const stored = openSpool(kv);
  let looks = 0;
  let claims = 0;
  const spool: Spool = {
    ...stored,
    workspaces() {
      looks++;
      return stored.workspaces();
    },
    claim() {
      claims++;
      return stored.claim();
    },
  };
  await spool.append([someEvent()]);
  const exchange = exchangeOf(() => Promise.reject(new BrokerUnavailableError("Cannot publish: it is away")));
  const drain = new Drain({ exchange, spool, late: new LateConfirms(), now, pauseMs: { first: 1e9, most: 1e9 } });
  while (claims === 0) await pause();
  for (let append = 0; append < 5; append++) {
    const seen = looks;
    await spool.append([someEvent()]);
    drain.wake();
    while (looks === seen) await pause();
  }
  assert.equal(claims, 1);
  await drain.close();
});

Deno.test("who waits before it tries again leaves the spool to another process meanwhile", async () => {
  using kv = await Deno.openKv(":memory:");
  const still = now();
  // No claim is over by itself.
  const [spool, others] = [openSpool(kv, () => still), openSpool(kv, () => still)];
  await spool.append([someEvent()]);
  const tried = Promise.withResolvers<void>();
  const exchange = exchangeOf(() => {
    tried.resolve();
    return Promise.reject(new BrokerUnavailableError("Cannot publish: it is away"));
  });
  const drain = new Drain({ exchange, spool, late: new LateConfirms(), now, pauseMs: { first: 1e9, most: 1e9 } });
  await tried.promise;
  while (await others.claim() === undefined) await pause();
  await drain.close();
});

Deno.test("of those who gave up waiting until the spool is empty nothing is kept", async () => {
  using kv = await Deno.openKv(":memory:");
  const spool = openSpool(kv);
  await spool.append([someEvent()]);
  const refused = Promise.withResolvers<void>();
  const exchange = exchangeOf(async () => {
    await refused.promise;
    throw new EventTooLargeError("Cannot publish: it is too large");
  });
  const drain = new Drain({ exchange, spool, late: new LateConfirms(), now });
  const patience = new Patience();
  const wait = () => drain.untilEmpty((emptied) => patience.wait(emptied, 0));
  const before = heapBytes();
  for (let round = 0; round < 100; round++) await Promise.all(Array.from({ length: 1000 }, wait));
  const perWait = (heapBytes() - before) / 100_000;
  assert.ok(perWait < 100, `${perWait} bytes of each`);
  const waiting = drain.untilEmpty((emptied) => emptied);
  refused.resolve();
  await waiting;
  await drain.close();
});

/** What is in use, without what can be collected. */
function heapBytes(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc()");
  return Deno.memoryUsage().heapUsed;
}
