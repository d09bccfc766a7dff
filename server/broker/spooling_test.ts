import assert from "node:assert/strict";
import { cleanUp, ForeignConsumer, FullQueue, testAmqpUrl, uniqueExchange } from "../../tests/support/broker.ts";
import { someEvent } from "../../tests/support/events.ts";
import { TcpProxy } from "../../tests/support/tcp_proxy.ts";
import { createSealer } from "../crypto/seal.ts";
import type { Broker, Journal, SerializedEvent, SpoolClaim, SpoolingExchange } from "../deps.ts";
import { BrokerUnavailableError, EventTooLargeError, SpoolFullError } from "../errors.ts";
import { acceptedDeliveries } from "../store/accepted.ts";
import { deadLetterStore } from "../store/dead_letters.ts";
import { journalStore } from "../store/journal.ts";
import { spoolStore } from "../store/spool.ts";
import { connectAmqpExchange } from "./amqp.ts";
import { spoolingExchange } from "./spooling.ts";

const url = testAmqpUrl();
const HERE = "8f14e45f-ceea-467f-a8b8-1d2f6e0b9c11";
const ELSEWHERE = "9f14e45f-ceea-467f-a8b8-1d2f6e0b9c11";
const DAY_MS = 86_400_000;
const sealer = await createSealer(new Uint8Array(32).fill(7));
const now = () => new Date();
const CONFIRMED = { published: 1, unrouted: 0, queued: 0 };
const QUEUED = { published: 0, unrouted: 0, queued: 1 };

interface Options {
  readonly publishTimeoutMs?: number;
  readonly limitBytes?: number;
  readonly journal?: Journal;
  /** The spool's clock. */
  readonly spoolNow?: () => Date;
}

/** A spool before the broker of this run, whose network can be taken away. */
class Bench implements AsyncDisposable {
  readonly name = uniqueExchange();
  readonly proxy = TcpProxy.before(url);
  readonly journal;
  readonly accepted;
  readonly letters;
  readonly #brokers: SpoolingExchange[] = [];

  private constructor(readonly kv: Deno.Kv) {
    this.journal = journalStore(kv, {
      sealer,
      retention: { ageMs: DAY_MS, count: 10_000 },
      dedupeWindowMs: DAY_MS,
      now,
    });
    this.accepted = acceptedDeliveries(kv, { windowMs: DAY_MS, now });
    this.letters = deadLetterStore(kv, { sealer, now });
  }

  static async open(): Promise<Bench> {
    return new Bench(await Deno.openKv(":memory:"));
  }

  /** A process on this store. */
  async process(
    { publishTimeoutMs = 60_000, limitBytes = 1e9, journal = this.journal, spoolNow = now }: Options = {},
  ): Promise<SpoolingExchange> {
    const broker: Broker = await connectAmqpExchange({
      url: this.proxy.through(url),
      exchange: this.name,
      routingKey: "{type}",
      maxMessageBytes: 1_000_000,
    });
    const spool = spoolStore(this.kv, { sealer, limitBytes, dedupeWindowMs: DAY_MS, now: spoolNow });
    const { accepted } = this;
    // However slow the machine, nothing is published again whose confirm the test holds back.
    const pauses = { pauseMs: { first: 1, most: 1 }, lookMs: 50, lateMs: 60_000 };
    const exchange = spoolingExchange({ broker, spool, journal, accepted, publishTimeoutMs, now, ...pauses });
    this.#brokers.push(exchange);
    while (!exchange.health().ok) await pause();
    return exchange;
  }

  async journaled(): Promise<string[]> {
    return await Array.fromAsync(this.journal.after(HERE, undefined), ({ id }) => id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.proxy.resume();
    for (const exchange of this.#brokers) await exchange.close();
    await this.proxy[Symbol.asyncDispose]();
    await this.journal.idle();
    this.kv.close();
    await cleanUp(url, this.name);
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 10));
const eventsOf = (count: number) => Array.from({ length: count }, () => someEvent());
const idsOf = (events: readonly SerializedEvent[]) => events.map(({ event }) => event.id);
const idsAt = ({ messages }: ForeignConsumer) => messages.map(({ properties }) => properties.messageId);

async function untilEmpty(exchange: SpoolingExchange): Promise<void> {
  while ((await exchange.spool()).entries > 0) await pause();
}

/** Three events that were spooled, since the broker does not confirm: the first one had been sent to it. */
async function threeSpooled(bench: Bench): Promise<{ exchange: SpoolingExchange; events: SerializedEvent[] }> {
  const exchange = await bench.process({ publishTimeoutMs: 50 });
  bench.proxy.stall();
  const events = eventsOf(3);
  for (const event of events) assert.deepEqual(await exchange.publish([event]), QUEUED);
  return { exchange, events };
}

Deno.test("what is not confirmed in time is stored, and not published again if its confirm comes late", async () => {
  await using bench = await Bench.open();
  await using consumer = await ForeignConsumer.bind(url, bench.name);
  const { exchange, events } = await threeSpooled(bench);
  assert.equal((await exchange.spool()).entries, 3);
  bench.proxy.resume();
  await untilEmpty(exchange);
  await consumer.until(3);
  assert.deepEqual(idsAt(consumer), idsOf(events));
  assert.deepEqual(await bench.journaled(), idsOf(events));
});

Deno.test("what comes while a workspace has something in the spool joins it, and overtakes nothing", async () => {
  await using bench = await Bench.open();
  await using consumer = await ForeignConsumer.bind(url, bench.name);
  const { exchange, events } = await threeSpooled(bench);
  // Of another workspace nothing waits: it is sent at once, and comes behind all that was sent before.
  const other = someEvent({ workspaceId: ELSEWHERE });
  assert.deepEqual(await exchange.publish([other]), QUEUED);
  await consumer.until(2);
  const [first, ...later] = events;
  assert.deepEqual(idsAt(consumer), idsOf([first ?? assert.fail(), other]), "only the first had been sent");
  bench.proxy.resume();
  await untilEmpty(exchange);
  await consumer.until(4);
  assert.deepEqual(idsAt(consumer).slice(2), idsOf(later));
});

Deno.test("a publisher with little patience is answered in its time", async () => {
  await using bench = await Bench.open();
  const exchange = await bench.process();
  bench.proxy.stall();
  assert.deepEqual(await exchange.publish(eventsOf(1), { patienceMs: 40 }), QUEUED);
});

Deno.test("a broker that is away: stored at once with the delivery, published in order when it is back", async () => {
  await using bench = await Bench.open();
  await using consumer = await ForeignConsumer.bind(url, bench.name);
  const exchange = await bench.process();
  const delivery = { workspaceId: HERE, id: "a delivery" };
  bench.proxy.down();
  while (exchange.health().ok) await pause();
  const events = eventsOf(60);
  for (const event of events.slice(0, 40)) assert.deepEqual(await exchange.publish([event], { delivery }), QUEUED);
  assert.equal(await bench.accepted.has(delivery), true);
  assert.deepEqual(await bench.journaled(), [], "streams get events when the broker has them");
  await bench.proxy.up();
  for (const event of events.slice(40)) await exchange.publish([event]);
  await untilEmpty(exchange);
  assert.deepEqual(await exchange.publish(eventsOf(1)), CONFIRMED);
  await consumer.until(61);
  assert.deepEqual(idsAt(consumer).slice(0, 60), idsOf(events));
  assert.deepEqual((await bench.journaled()).slice(0, 60), idsOf(events));
});

Deno.test("what was under way when the connection broke is stored", async () => {
  await using bench = await Bench.open();
  await using consumer = await ForeignConsumer.bind(url, bench.name);
  const exchange = await bench.process();
  bench.proxy.stall();
  const events = eventsOf(5);
  const underWay = events.map((event) => exchange.publish([event]));
  await consumer.until(5);
  bench.proxy.cut();
  assert.deepEqual(await Promise.all(underWay), events.map(() => QUEUED));
  bench.proxy.resume();
  await untilEmpty(exchange);
  assert.deepEqual(new Set(idsAt(consumer)), new Set(idsOf(events)), "what comes again has the same ids");
});

Deno.test("two processes on one store keep a workspace's order", async () => {
  await using bench = await Bench.open();
  await using consumer = await ForeignConsumer.bind(url, bench.name);
  const [one, two] = [await bench.process(), await bench.process()];
  bench.proxy.down();
  while (one.health().ok || two.health().ok) await pause();
  const events = eventsOf(80);
  for (const [index, event] of events.entries()) {
    if (index === 40) await bench.proxy.up();
    await (index % 2 ? one : two).publish([event]);
  }
  await untilEmpty(one);
  await consumer.until(80);
  assert.deepEqual([...new Set(idsAt(consumer))], idsOf(events));
});

Deno.test("what a process has left is published by another", async () => {
  await using bench = await Bench.open();
  await using consumer = await ForeignConsumer.bind(url, bench.name);
  const one = await bench.process();
  bench.proxy.down();
  while (one.health().ok) await pause();
  const events = eventsOf(3);
  for (const event of events) await one.publish([event]);
  await one.close();
  await bench.proxy.up();
  const two = await bench.process();
  await untilEmpty(two);
  await consumer.until(3);
  assert.deepEqual(idsAt(consumer), idsOf(events));
});

Deno.test("who has emptied the spool leaves it to others at once, not when its claim is over", async () => {
  await using bench = await Bench.open();
  await using consumer = await ForeignConsumer.bind(url, bench.name);
  const still = new Date();
  const events = eventsOf(2);
  for (const event of events) {
    const exchange = await bench.process({ spoolNow: () => still });
    bench.proxy.down();
    while (exchange.health().ok) await pause();
    assert.deepEqual(await exchange.publish([event]), QUEUED);
    await bench.proxy.up();
    await untilEmpty(exchange);
    await exchange.close();
  }
  await consumer.until(2);
  assert.deepEqual(idsAt(consumer), idsOf(events));
});

Deno.test("what another process took over and published is published again when it is replayed", async () => {
  await using bench = await Bench.open();
  await using consumer = await ForeignConsumer.bind(url, bench.name);
  // Its clock says that the claim of the first is over.
  const other = spoolStore(bench.kv, {
    sealer,
    limitBytes: 1e9,
    dedupeWindowMs: DAY_MS,
    now: () => new Date(Date.now() + 30_000),
  });
  let takeOver = () => other.claim();
  const taken = Promise.withResolvers<SpoolClaim>();
  const exchange = await bench.process({
    journal: {
      ...bench.journal,
      // Between the broker's confirm and what the drain writes of it.
      async append(events, delivery) {
        const claim = await takeOver();
        if (claim !== undefined) taken.resolve(claim);
        takeOver = () => Promise.resolve(undefined);
        await bench.journal.append(events, delivery);
      },
    },
  });
  const [event, after] = [someEvent(), someEvent()];
  bench.proxy.down();
  while (exchange.health().ok) await pause();
  await exchange.publish([event]);
  await bench.proxy.up();
  const claim = await taken.promise;
  await consumer.until(1);
  const entries = await claim.oldest(HERE);
  assert.ok(await claim.settle(entries.map((entry) => ({ entry, left: [], dead: [] }))));
  bench.proxy.down();
  while (exchange.health().ok) await pause();
  assert.deepEqual(await exchange.publish([event]), QUEUED);
  await claim.release();
  await bench.proxy.up();
  await untilEmpty(exchange);
  await exchange.publish([after]);
  while (!idsAt(consumer).includes(after.event.id)) await pause();
  assert.deepEqual(idsAt(consumer), idsOf([event, event, after]));
});

Deno.test("a full spool refuses, says so, and takes again when there is room", async () => {
  await using bench = await Bench.open();
  const exchange = await bench.process({ limitBytes: 1000 });
  bench.proxy.down();
  while (exchange.health().ok) await pause();
  const delivery = { workspaceId: HERE, id: "refused" };
  await exchange.publish(eventsOf(1));
  await assert.rejects(exchange.publish(eventsOf(3), { delivery }), SpoolFullError);
  assert.equal(await bench.accepted.has(delivery), false);
  const full = await exchange.spool();
  assert.deepEqual([full.ok, full.entries], [false, 1]);
  await bench.proxy.up();
  await untilEmpty(exchange);
  assert.equal((await exchange.spool()).ok, true);
});

Deno.test("a spool that a large delivery does not fit is not full for those that do", async () => {
  await using bench = await Bench.open();
  const exchange = await bench.process({ limitBytes: 2000 });
  bench.proxy.down();
  while (exchange.health().ok) await pause();
  await assert.rejects(exchange.publish([someEvent({ text: "x".repeat(2000) })]), SpoolFullError);
  assert.equal((await exchange.spool()).ok, false);
  await exchange.publish(eventsOf(1));
  assert.equal((await exchange.spool()).ok, true);
  await bench.proxy.up();
});

Deno.test("an event over the broker's limit is refused at the door, with or without a broker", async () => {
  await using bench = await Bench.open();
  const exchange = await bench.process();
  const large = [someEvent(), someEvent({ text: "x".repeat(1_000_000) })];
  await assert.rejects(exchange.publish(large), EventTooLargeError);
  bench.proxy.down();
  while (exchange.health().ok) await pause();
  await assert.rejects(exchange.publish(large), EventTooLargeError);
  assert.equal((await exchange.spool()).entries, 0);
  await bench.proxy.up();
});

Deno.test("an event that a queue refuses becomes a dead letter after its tries, and can be retried", async () => {
  await using bench = await Bench.open();
  await using consumer = await ForeignConsumer.bind(url, bench.name, "sample.thing.*");
  const exchange = await bench.process();
  await using full = await FullQueue.bind(url, bench.name, "sample.full.*");
  const refused = someEvent({ type: "sample.full.made" });
  const events = [someEvent(), refused, someEvent()];
  assert.deepEqual(await exchange.publish(events), { published: 2, unrouted: 0, queued: 1 });
  const after = someEvent();
  await exchange.publish([after]);
  await untilEmpty(exchange);
  const [letter = assert.fail()] = await bench.letters.list(HERE, { limit: 10 });
  assert.equal(letter.eventId, refused.event.id);
  assert.match(letter.reason, /a queue that it goes to refused it/);
  await consumer.until(3);
  assert.deepEqual(idsAt(consumer), idsOf([...events, after]).toSpliced(1, 1));
  await full.unbind();
  assert.equal(await bench.letters.retry(HERE, letter.id), true);
  exchange.wake();
  await untilEmpty(exchange);
  assert.deepEqual(await bench.letters.list(HERE, { limit: 10 }), []);
  assert.equal((await bench.journaled()).at(-1), refused.event.id, "it was published");
});

Deno.test("an entry that cannot be read holds up no other workspace, and is told of until it is gone", async () => {
  await using bench = await Bench.open();
  await using consumer = await ForeignConsumer.bind(url, bench.name);
  const exchange = await bench.process();
  bench.proxy.down();
  while (exchange.health().ok) await pause();
  await exchange.publish(eventsOf(1));
  const others = Array.from({ length: 3 }, () => someEvent({ workspaceId: ELSEWHERE }));
  for (const event of others) await exchange.publish([event]);
  const unreadable = await Array.fromAsync(bench.kv.list({ prefix: ["spool", HERE] }), ({ key }) => key);
  for (const key of unreadable) await bench.kv.set(key, "nonsense");
  await bench.proxy.up();
  await consumer.until(3);
  assert.deepEqual(idsAt(consumer), idsOf(others));
  const { ok, detail } = await exchange.spool();
  assert.equal(ok, false);
  assert.match(detail, /^broken: Cannot read \["spool","8f14e45f/);
  for (const key of unreadable) await bench.kv.delete(key);
  while (!(await exchange.spool()).ok) await pause();
});

Deno.test("in a hurry nobody waits longer than the grace", async () => {
  await using bench = await Bench.open();
  const exchange = await bench.process();
  bench.proxy.stall();
  const waiting = exchange.publish(eventsOf(1));
  exchange.hurry(20);
  assert.deepEqual(await waiting, QUEUED);
  assert.deepEqual(await exchange.publish(eventsOf(1)), QUEUED);
});

Deno.test("a store that cannot be written is told as unavailable, to be tried again", async () => {
  await using bench = await Bench.open();
  const broker: Broker = await connectAmqpExchange({
    url: "amqp://127.0.0.1:1",
    exchange: bench.name,
    routingKey: "{type}",
    maxMessageBytes: 1_000_000,
  });
  const closed = await Deno.openKv(":memory:");
  const spool = spoolStore(closed, { sealer, limitBytes: 1e9, dedupeWindowMs: 0, now });
  closed.close();
  const { journal, accepted } = bench;
  const exchange = spoolingExchange({ broker, spool, journal, accepted, publishTimeoutMs: 1000, now });
  await assert.rejects(exchange.publish(eventsOf(1)), BrokerUnavailableError);
  assert.equal((await exchange.spool()).ok, false);
  await exchange.close();
});
