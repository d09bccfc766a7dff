import { configure, type LogRecord, reset } from "@logtape/logtape";
import { CloudEvent, HTTP } from "cloudevents";
import assert from "node:assert/strict";
import {
  cleanUp,
  declareDirectExchange,
  ForeignConsumer,
  FullQueue,
  NearlyFullQueue,
  removeLiveExchange,
  testAmqpUrl,
  uniqueExchange,
} from "../../tests/support/broker.ts";
import { someEvent } from "../../tests/support/events.ts";
import { TcpProxy } from "../../tests/support/tcp_proxy.ts";
import type { Broker, Exchange } from "../deps.ts";
import { BrokerUnavailableError, EventRefusedError, EventTooLargeError } from "../errors.ts";
import { connectAmqpExchange } from "./amqp.ts";
import { cloudEventsFormat } from "./format.ts";

const url = testAmqpUrl();
const connect = (exchange: string, over = url, { routingKey = "{type}", maxMessageBytes = 1_000_000 } = {}) =>
  connectAmqpExchange({ url: over, exchange, routingKey, maxMessageBytes });

/** Resolves when the exchange is in the state that `ok` names. */
async function health(exchange: Exchange, ok: boolean): Promise<string> {
  while (exchange.health().ok !== ok) await new Promise((resolve) => setTimeout(resolve, 10));
  return exchange.health().detail;
}

/** Resolves when what `there` announces is heard: nobody can tell when the queue is bound that it comes through. */
async function untilHeard(there: Broker, hasHeard: (eventId: string) => boolean): Promise<void> {
  const announce = async () => {
    const event = someEvent();
    there.live.announce([event]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    return event.event.id;
  };
  const sent = [await announce()];
  while (!sent.some(hasHeard)) sent.push(await announce());
  // All of them, so that none comes later.
  while (!hasHeard(sent.at(-1) ?? "")) await new Promise((resolve) => setTimeout(resolve, 10));
}

Deno.test("why there is no connection is told once, however often it is tried", async () => {
  const records: LogRecord[] = [];
  const sink = (record: LogRecord) => void records.push(record);
  await configure({
    reset: true,
    sinks: { sink },
    loggers: [{ category: "inlet", sinks: ["sink"] }, { category: ["logtape", "meta"], lowestLevel: "warning" }],
  });
  try {
    const exchange = await connect(uniqueExchange(), "amqp://127.0.0.1:1");
    let tries = 0;
    const { promise: triedAgain, resolve } = Promise.withResolvers<void>();
    exchange.onHealth(() => ++tries === 3 && resolve());
    await triedAgain;
    assert.equal(
      exchange.health().detail,
      "no connection to the broker: nobody listens there",
      "everybody may read it",
    );
    await exchange.close();
    const told = records.filter(({ level }) => level === "warning").map(({ message }) => message.join(""));
    assert.equal(told.length, 1, told.join("\n"));
    assert.match(told[0] ?? "", /no connection to 127\.0\.0\.1:1 .*nobody listens there.*ECONNREFUSED/);
  } finally {
    await reset();
  }
});

Deno.test("a published event reaches a foreign consumer with all its properties, confirmed", async () => {
  const name = uniqueExchange();
  await using consumer = await ForeignConsumer.bind(url, name, "sample.thing.*");
  const exchange = await connect(name);
  await health(exchange, true);
  const events = [someEvent({ text: "ü\u2028🔑" }), someEvent()];
  assert.deepEqual(await exchange.publish(events), { published: 2, unrouted: 0, queued: 0 });
  const received = await consumer.until(2);
  assert.deepEqual(received.map(({ properties }) => properties.messageId), events.map(({ event }) => event.id));
  const { routingKey, text, properties } = received[0] ?? assert.fail();
  assert.equal(routingKey, "sample.thing.made");
  assert.equal(text, events[0]?.json);
  assert.deepEqual(properties, {
    messageId: events[0]?.event.id,
    type: "sample.thing.made",
    timestamp: Date.parse("2026-01-02T03:04:05Z") / 1000,
    contentType: "application/json",
    appId: "inlet",
    durable: true,
    headers: { "workspace-id": events[0]?.event.workspaceId },
  });
  await exchange.close();
});

Deno.test("an event of before 1970 is confirmed, without the timestamp that AMQP cannot have", async () => {
  const name = uniqueExchange();
  await using consumer = await ForeignConsumer.bind(url, name);
  const exchange = await connect(name);
  await health(exchange, true);
  const events = ["1969-12-31T23:59:59.500Z", "0000-01-01T00:00:00.000Z", "1970-01-01T00:00:00.000Z"]
    .map((occurredAt) => someEvent({ occurredAt }));
  assert.deepEqual(await exchange.publish(events), { published: 3, unrouted: 0, queued: 0 });
  const received = await consumer.until(3);
  assert.deepEqual(received.map(({ text }) => text), events.map(({ json }) => json));
  assert.deepEqual(received.map(({ properties }) => properties.timestamp), [undefined, undefined, 0]);
  await exchange.close();
});

Deno.test("of several nodes the next is connected to when one is gone, and the first again after the last", async () => {
  const name = uniqueExchange();
  await using one = TcpProxy.before(url);
  await using other = TcpProxy.before(url);
  const exchange = await connect(name, `${one.through(url)},${other.through(url)}`);
  await health(exchange, true);
  for (const gone of [one, other]) {
    gone.down();
    await health(exchange, false);
    await health(exchange, true);
    assert.equal((await exchange.publish([someEvent()])).published, 1);
    await gone.up();
  }
  await exchange.close();
  await cleanUp(url, name);
});

Deno.test("a CloudEvent reaches a foreign consumer, and live streams the event as it is", async () => {
  const name = uniqueExchange();
  await using consumer = await ForeignConsumer.bind(url, name);
  const exchange = await connectAmqpExchange({
    url,
    exchange: name,
    routingKey: "{type}",
    maxMessageBytes: 1_000_000,
    format: cloudEventsFormat,
  });
  await health(exchange, true);
  const live: string[] = [];
  await exchange.live.subscribe((events) => live.push(...events.map(({ json }) => json)));
  const event = someEvent();
  await exchange.publish([event]);
  exchange.live.announce([event]);
  const { text, properties } = (await consumer.until(1))[0] ?? assert.fail();
  const read = HTTP.toEvent({ headers: { "content-type": properties.contentType ?? "" }, body: text });
  assert.ok(read instanceof CloudEvent && read.validate());
  assert.deepEqual([read.id, read.type, read.data], [event.event.id, event.event.type, event.event.payload]);
  assert.equal(properties.messageId, event.event.id);
  assert.deepEqual(live, [event.json]);
  await exchange.close();
  await removeLiveExchange(url, name);
});

Deno.test("the routing key follows its template", async () => {
  const name = uniqueExchange();
  await using consumer = await ForeignConsumer.bind(url, name);
  const exchange = await connect(name, url, { routingKey: "v1.{workspaceId}.{source}.{type}" });
  await health(exchange, true);
  const event = someEvent();
  await exchange.publish([event]);
  const [message] = await consumer.until(1);
  assert.equal(message?.routingKey, `v1.${event.event.workspaceId}.sample.sample.thing.made`);
  await exchange.close();
});

Deno.test("an event that no queue is bound for is published, and counted as unrouted", async () => {
  const name = uniqueExchange();
  await using _consumer = await ForeignConsumer.bind(url, name, "sample.note.*");
  const exchange = await connect(name);
  await health(exchange, true);
  const events = [someEvent(), someEvent({ type: "sample.note.made" }), someEvent()];
  assert.deepEqual(await exchange.publish(events), { published: 3, unrouted: 2, queued: 0 });
  assert.deepEqual(await exchange.publish([someEvent({ type: "sample.note.made" })]), {
    published: 1,
    unrouted: 0,
    queued: 0,
  });
  assert.equal(exchange.unrouted(), 2);
  await exchange.close();
});

Deno.test("an event is unrouted even while live streams listen", async () => {
  const name = uniqueExchange();
  const exchange = await connect(name);
  const other = await connect(name);
  await Promise.all([health(exchange, true), health(other, true)]);
  await exchange.live.subscribe(() => {});
  await other.live.subscribe(() => {});
  assert.deepEqual(await exchange.publish([someEvent()]), { published: 1, unrouted: 1, queued: 0 });
  await Promise.all([exchange.close(), other.close()]);
  await cleanUp(url, name);
});

Deno.test("a process hears its own events and those of others, each once, while it listens", async () => {
  const name = uniqueExchange();
  const [here, there] = await Promise.all([connect(name), connect(name)]);
  await Promise.all([health(here, true), health(there, true)]);
  const heard: string[] = [];
  const { promise: last, resolve } = Promise.withResolvers<void>();
  const stop = await here.live.subscribe((events) => {
    heard.push(...events.map(({ event }) => event.id));
    if (heard.includes("ffffffff-0000-4000-8000-000000000000")) resolve();
  });
  await untilHeard(there, (eventId) => heard.includes(eventId));
  heard.length = 0;
  const events = Array.from({ length: 20 }, () => someEvent());
  for (const [index, event] of events.entries()) (index % 2 ? here : there).live.announce([event]);
  there.live.announce([someEvent({ id: "ffffffff-0000-4000-8000-000000000000" })]);
  await last;
  assert.deepEqual(heard.slice(0, -1).sort(), events.map(({ event }) => event.id).sort());
  stop();
  here.live.announce([someEvent()]);
  assert.equal(heard.length, 21);
  await Promise.all([here.close(), there.close()]);
  await cleanUp(url, name);
});

Deno.test("what another process could not tell of, or nobody heard, is noticed with its next event", async () => {
  const name = uniqueExchange();
  await using proxy = TcpProxy.before(url);
  const here = await connect(name, proxy.through(url));
  const there = await connect(name);
  await Promise.all([health(here, true), health(there, true)]);
  const heard = new Map<string, boolean | undefined>();
  await here.live.subscribe((events, told) => events.forEach(({ event }) => heard.set(event.id, told?.afterGap)));
  const announce = (text = "") => {
    const event = someEvent({ text });
    there.live.announce([event]);
    return event.event.id;
  };
  const until = async (id: string) => {
    while (!heard.has(id)) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  /** Nobody can tell when the queue is bound. */
  const untilAnyIsHeard = async () => {
    heard.clear();
    for (; heard.size === 0; await new Promise((resolve) => setTimeout(resolve, 50))) announce();
    await until(announce());
    return [...heard.values()];
  };
  assert.ok((await untilAnyIsHeard()).slice(1).every((afterGap) => afterGap === false));

  const [before, tooLarge, after] = [announce(), announce("x".repeat(4_100_000)), announce()];
  await until(after);
  assert.deepEqual([heard.get(before), heard.has(tooLarge), heard.get(after)], [false, false, true]);

  proxy.down();
  await health(here, false);
  announce();
  await proxy.up();
  await health(here, true);
  const [first, ...next] = await untilAnyIsHeard();
  assert.equal(first, true);
  assert.ok(next.length > 0 && next.every((afterGap) => afterGap === false));

  const own = someEvent();
  here.live.announce([own]);
  assert.ok(heard.has(own.event.id) && heard.get(own.event.id) === undefined, "one's own come without");
  await Promise.all([here.close(), there.close()]);
  await cleanUp(url, name);
});

Deno.test("without a broker publishing is refused, and works as soon as there is one", async () => {
  const name = uniqueExchange();
  await using proxy = TcpProxy.before(url);
  proxy.down();
  const exchange = await connect(name, proxy.through(url));
  await assert.rejects(exchange.publish([someEvent()]), BrokerUnavailableError);
  assert.deepEqual(await exchange.publish([]), { published: 0, unrouted: 0, queued: 0 }, "nothing needs no broker");
  assert.equal(exchange.health().ok, false);
  await proxy.up();
  await health(exchange, true);
  assert.equal((await exchange.publish([someEvent()])).published, 1);
  await exchange.close();
  await cleanUp(url, name);
});

Deno.test("a lost connection refuses what is under way, comes back, and listens again", async () => {
  const name = uniqueExchange();
  await using consumer = await ForeignConsumer.bind(url, name);
  await using proxy = TcpProxy.before(url);
  const exchange = await connect(name, proxy.through(url));
  const other = await connect(name);
  await Promise.all([health(exchange, true), health(other, true)]);
  const heard: string[] = [];
  await exchange.live.subscribe((events) => void heard.push(...events.map(({ event }) => event.id)));

  proxy.stall();
  const underWay = exchange.publish([someEvent()]);
  await consumer.until(1);
  proxy.down();
  await assert.rejects(underWay, BrokerUnavailableError);
  assert.match(await health(exchange, false), /no connection to the broker|closed the channel/);
  proxy.resume();
  await proxy.up();
  await health(exchange, true);

  const [mine, theirs] = [someEvent(), someEvent()];
  assert.equal((await exchange.publish([mine])).published, 1);
  exchange.live.announce([mine]);
  for (; !heard.includes(theirs.event.id); await new Promise((resolve) => setTimeout(resolve, 20))) {
    other.live.announce([theirs]);
  }
  assert.deepEqual(new Set(heard), new Set([mine.event.id, theirs.event.id]));
  await Promise.all([exchange.close(), other.close()]);
});

Deno.test("a confirm that comes late is waited for", async () => {
  const name = uniqueExchange();
  await using proxy = TcpProxy.before(url);
  const exchange = await connect(name, proxy.through(url));
  await health(exchange, true);
  proxy.stall();
  const underWay = exchange.publish([someEvent()]);
  setTimeout(() => proxy.resume(), 50);
  assert.equal((await underWay).published, 1);
  await exchange.close();
  await cleanUp(url, name);
});

Deno.test("an event that a full queue refuses is told from those that it takes", async () => {
  const name = uniqueExchange();
  const exchange = await connect(name);
  await health(exchange, true);
  await using _queue = await FullQueue.bind(url, name, "sample.full.*");
  const events = [someEvent(), someEvent({ type: "sample.full.made" }), someEvent()];
  await assert.rejects(exchange.publish(events), (error: Error) => {
    assert.ok(error instanceof EventRefusedError);
    assert.equal(error.closedChannel, false);
    assert.deepEqual([...error.confirmed], [events[0]?.event.id, events[2]?.event.id]);
    return true;
  });
  assert.equal((await exchange.publish([someEvent()])).published, 1, "the channel lives on");
  await exchange.close();
});

Deno.test("what a channel alone refuses is published on another, and a new connection is made", async () => {
  const name = uniqueExchange();
  const exchange = await connect(name);
  await health(exchange, true);
  await using queue = await NearlyFullQueue.bind(url, name, 10);
  const publish = async () => await exchange.publish([someEvent()]).catch((error) => String(error));
  let outcome = await publish();
  while (typeof outcome !== "string") outcome = await publish();
  assert.match(outcome, /EventRefusedError/);
  assert.equal(exchange.health().ok, true, "another channel was refused as well");
  await queue.makeRoom();
  const details: string[] = [];
  exchange.onHealth(() => details.push(exchange.health().detail));
  while (typeof outcome === "string") {
    await new Promise((resolve) => setTimeout(resolve, 10));
    outcome = await publish();
  }
  assert.deepEqual(outcome, { published: 1, unrouted: 0, queued: 0 });
  assert.equal(details[0], "the broker refuses on one channel what it takes on another; trying another connection");
  await health(exchange, true);
  await exchange.close();
});

Deno.test("a connection that is cut while it is set up, again and again, ends nothing", async () => {
  const name = uniqueExchange();
  await using proxy = TcpProxy.before(url);
  const exchange = await connect(name, proxy.through(url));
  for (let cut = 0; cut < 10; cut++) {
    proxy.cut();
    await health(exchange, false);
    // Recovery takes a moment to connect; cuts fall into whatever it does then.
    for (let again = 0; again < 20; again++) {
      proxy.cut();
      await new Promise((resolve) => setTimeout(resolve, again));
    }
    await health(exchange, true);
  }
  // The last cut may not be noticed yet.
  while (await exchange.publish([someEvent()]).then(() => false, () => true)) await health(exchange, true);
  await exchange.close();
  await cleanUp(url, name);
});

for (
  const [when, stall] of [
    // Only what declares the exchange names it.
    ["a connection is set up", (proxy: TcpProxy, name: string) => proxy.when(name, () => proxy.stall())],
    ["it is to confirm, nor to a goodbye", (proxy: TcpProxy) => proxy.when("sample.thing.made", () => proxy.stall())],
  ] as const
) {
  Deno.test(`another connection is made to a broker that gives no answer when ${when}`, async () => {
    const name = uniqueExchange();
    await using proxy = TcpProxy.before(url);
    stall(proxy, name);
    const exchange = await connectAmqpExchange({
      // Without heartbeats nothing else tells that nothing comes.
      url: `${proxy.through(url)}?heartbeat=0`,
      exchange: name,
      routingKey: "{type}",
      maxMessageBytes: 1_000_000,
      timeouts: { connectMs: 1000, closeMs: 100, stallMs: 500 },
    });
    const publish = async () => await exchange.publish([someEvent()]).catch((error) => String(error));
    for (let outcome = await publish(); typeof outcome === "string"; outcome = await publish()) {
      assert.match(outcome, /BrokerUnavailableError/);
      if (exchange.health().detail.startsWith("no connection")) proxy.forsake();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await exchange.close();
    await cleanUp(url, name);
  });
}

Deno.test("whoever asks is told when the health changes", async () => {
  const name = uniqueExchange();
  await using proxy = TcpProxy.before(url);
  const exchange = await connect(name, proxy.through(url));
  await health(exchange, true);
  const seen: boolean[] = [];
  exchange.onHealth(() => seen.push(exchange.health().ok));
  proxy.down();
  await health(exchange, false);
  await proxy.up();
  await health(exchange, true);
  assert.deepEqual([seen.at(0), seen.at(-1)], [false, true]);
  await exchange.close();
  await cleanUp(url, name);
});

Deno.test("an exchange deleted under a running service is declared again", async () => {
  const name = uniqueExchange();
  await using consumer = await ForeignConsumer.bind(url, name);
  const exchange = await connect(name);
  await health(exchange, true);
  await consumer.deleteExchange();
  await assert.rejects(exchange.publish([someEvent()]), BrokerUnavailableError);
  await health(exchange, true);
  assert.deepEqual(await exchange.publish([someEvent()]), { published: 1, unrouted: 1, queued: 0 });
  await exchange.close();
});

Deno.test("an exchange of another type is told in words, and no password is in them", async () => {
  const exchange = await connect("amq.direct");
  while (!exchange.health().detail.includes("not a durable topic exchange")) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.equal(exchange.health().ok, false);
  await assert.rejects(exchange.publish([someEvent()]), (error: Error) => {
    assert.match(error.message, /there is an exchange of that name \(AMQP_EXCHANGE\)/);
    return !error.message.includes(new URL(url).password + "@");
  });
  await exchange.close();
});

Deno.test("an event larger than the broker takes is refused, and disturbs no other", async () => {
  const name = uniqueExchange();
  const exchange = await connect(name);
  await health(exchange, true);
  const small = Array.from({ length: 20 }, () => exchange.publish([someEvent()]));
  await assert.rejects(exchange.publish([someEvent(), someEvent({ text: "x".repeat(1_000_000) })]), EventTooLargeError);
  for (const { published } of await Promise.all(small)) assert.equal(published, 1);
  await exchange.close();
  await cleanUp(url, name);
});

Deno.test("a relay whose exchange was deleted is heard again, and says so meanwhile", async () => {
  const name = uniqueExchange();
  const [here, there] = await Promise.all([connect(name), connect(name)]);
  await Promise.all([health(here, true), health(there, true)]);
  const heard = new Set<string>();
  await here.live.subscribe((events) => events.forEach(({ event }) => heard.add(event.id)));
  await untilHeard(there, (eventId) => heard.has(eventId));
  while (!there.health().detail.includes("not heard")) {
    // Again: whichever of the two notices first declares it.
    await removeLiveExchange(url, name);
    there.live.announce([someEvent()]);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.equal(there.health().ok, true, "publishing goes on");
  await untilHeard(there, (eventId) => heard.has(eventId));
  await Promise.all([here.close(), there.close()]);
  await cleanUp(url, name);
});

Deno.test("a relay that cannot be keeps no event from being published", async () => {
  const name = uniqueExchange();
  await declareDirectExchange(url, `${name}.live`);
  const exchange = await connect(name);
  await health(exchange, true);
  await exchange.live.subscribe(() => {});
  assert.equal((await exchange.publish([someEvent()])).published, 1);
  exchange.live.announce([someEvent()]);
  while (!exchange.health().detail.includes("not heard")) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal((await exchange.publish([someEvent()])).published, 1);
  await exchange.close();
  await cleanUp(url, name);
});
