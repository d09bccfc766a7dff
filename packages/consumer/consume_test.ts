import { normalizedEventSchema, toCloudEvent } from "@inlet/events-core";
import assert from "node:assert/strict";
import { Connection } from "rabbitmq-client";
import { testAmqpUrl, uniqueExchange } from "../../tests/support/broker.ts";
import { someEvent } from "../../tests/support/events.ts";
import { type PrivateNode, providePrivateNode, settle } from "../../tests/support/rabbitmq.ts";
import { TcpProxy } from "../../tests/support/tcp_proxy.ts";
import { consume, type ConsumeOptions, type Consumption, type Problem } from "./mod.ts";

type Told = Omit<ConsumeOptions, "url" | "exchange" | "queue" | "onProblem">;

const TYPE = "webhook.invoice.paid";

/** The longest that a timer can be set to, some 25 days. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** An event as the service publishes it. */
function invoice(id: string = crypto.randomUUID()) {
  const { event } = someEvent({ id, type: TYPE });
  return { ...event, source: "webhook", payload: { type: "invoice.paid", data: { total: 7 } } };
}

/** A consumer of an exchange of its own, beside it what publishes and looks at the queues. */
class Bench implements AsyncDisposable {
  readonly exchange = uniqueExchange();
  readonly queue = `${this.exchange}.work`;
  readonly problems: Problem[] = [];
  #consumption: Consumption | undefined;

  private constructor(readonly connection: Connection) {
    connection.on("error", () => {});
  }

  static async start(options: Told, url = testAmqpUrl(), over = url): Promise<Bench> {
    // Where a broker was away, it is connected to again before the client's patience for a channel, 20 s, is over.
    const bench = new Bench(new Connection({ url, retryHigh: 1000 }));
    await bench.consume(options, over);
    return bench;
  }

  async consume(options: Told, url: string): Promise<void> {
    const { exchange, queue } = this;
    const onProblem = (problem: Problem) => void this.problems.push(problem);
    this.#consumption = await consume({ retryDelaysMs: [50, 60], ...options, url, exchange, queue, onProblem });
  }

  async publish(body: unknown, type = TYPE, contentType = "application/json"): Promise<void> {
    const publisher = this.connection.createPublisher({ confirm: true });
    await publisher.send({ exchange: this.exchange, routingKey: type, durable: true, contentType }, body);
    await publisher.close();
  }

  /** The next dead letter, waited for. */
  async deadLetter(): Promise<{ body: unknown; headers: Record<string, unknown> }> {
    for (;;) {
      const message = await this.connection.basicGet({ queue: `${this.queue}.dead`, noAck: true });
      if (message) return { body: message.body, headers: { ...message.headers } };
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async waiting(): Promise<number> {
    return (await this.connection.queueDeclare({ queue: this.queue, passive: true })).messageCount;
  }

  async stop(timeoutMs?: number): Promise<void> {
    await this.#consumption?.stop(timeoutMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    for (const name of ["", ".dead", ".retry.50", ".retry.60"]) {
      await this.connection.queueDelete({ queue: `${this.queue}${name}` });
    }
    await this.connection.exchangeDelete({ exchange: this.exchange });
    await this.connection.close();
  }
}

/** Collects what a handler is called with. */
function calls<Call>() {
  const made: Call[] = [];
  let came = () => {};
  return {
    made,
    note(call: Call) {
      made.push(call);
      came();
    },
    async until(count: number) {
      while (made.length < count) await new Promise<void>((resolve) => came = resolve);
      return made;
    },
  };
}

Deno.test("consume hands a typed event to its handler, and acknowledges it", async () => {
  const totals = calls<unknown>();
  await using bench = await Bench.start({ on: { [TYPE]: ({ payload }) => totals.note(payload.data) } });
  await bench.publish(invoice());
  assert.deepEqual(await totals.until(1), [{ total: 7 }]);
  await bench.stop();
  assert.equal(await bench.waiting(), 0);
  assert.deepEqual(bench.problems, []);
});

Deno.test("consume takes CloudEvents beside events, also when they are tried again", async () => {
  const handled = calls<[string, unknown]>();
  let tries = 0;
  const failFirst = ({ id, payload }: { id: string; payload: unknown }) => {
    if (++tries === 1) throw new Error("not now");
    handled.note([id, payload]);
  };
  await using bench = await Bench.start({ prefetch: 1, on: { [TYPE]: failFirst } });
  const [first, last] = [invoice(), invoice()];
  const body = Buffer.from(JSON.stringify(toCloudEvent(first)));
  await bench.publish(body, TYPE, "application/cloudevents+json; charset=utf-8");
  await handled.until(1);
  await bench.publish(last);
  assert.deepEqual(await handled.until(2), [[first.id, first.payload], [last.id, last.payload]]);
  assert.deepEqual(bench.problems.map(({ kind }) => kind), ["retry"]);
});

Deno.test("consume takes what its bindings name, and acknowledges what nobody handles", async () => {
  const types = calls<string>();
  await using bench = await Bench.start({ bind: ["acme.#", "webhook.*.*"], otherwise: ({ type }) => types.note(type) });
  for (const type of ["acme.thing.made", "github.pr.opened", TYPE]) await bench.publish({ ...invoice(), type }, type);
  assert.deepEqual((await types.until(2)).toSorted(), ["acme.thing.made", TYPE]);
  await bench.stop();
  assert.equal(await bench.waiting(), 0);
});

Deno.test("consume tries a failed event again after each delay, then puts it whole with the dead letters", async () => {
  const tries = calls<string>();
  const fail = ({ id }: { id: string }) => {
    tries.note(id);
    throw new Error("the till is closed");
  };
  await using bench = await Bench.start({ on: { [TYPE]: fail } });
  const sent = invoice();
  await bench.publish(sent);
  const { body, headers } = await bench.deadLetter();
  // The letter can be had before the consumer knows that it is there.
  await bench.stop();
  assert.deepEqual(normalizedEventSchema.parse(body), sent);
  assert.equal(headers["x-inlet-attempt"], 3);
  assert.equal(headers["x-inlet-error"], "the till is closed");
  assert.equal(headers["x-inlet-routing-key"], TYPE);
  assert.deepEqual(tries.made, [sent.id, sent.id, sent.id]);
  assert.deepEqual(bench.problems.map(({ kind }) => kind), ["retry", "retry", "dead"]);
});

Deno.test("consume is done with an event that succeeds at its second try", async () => {
  const tries = calls<string>();
  const once = ({ id }: { id: string }) => {
    tries.note(id);
    if (tries.made.length === 1) throw new Error("not now");
  };
  await using bench = await Bench.start({ on: { [TYPE]: once } });
  await bench.publish(invoice());
  await tries.until(2);
  await bench.stop();
  assert.deepEqual(bench.problems.map(({ kind }) => kind), ["retry"]);
  assert.equal(await bench.waiting(), 0);
});

Deno.test("consume puts poison with the dead letters at once, and goes on", async () => {
  const handled = calls<string>();
  await using bench = await Bench.start({ prefetch: 1, on: { [TYPE]: ({ id }) => handled.note(id) } });
  const poison = [
    new TextEncoder().encode("{"),
    new Uint8Array([0xff, 0xfe]),
    { hello: "world" },
    { ...invoice(), payload: { type: 7 } },
  ];
  for (const body of poison) await bench.publish(body instanceof Uint8Array ? Buffer.from(body) : body);
  const good = invoice();
  await bench.publish(good);
  assert.deepEqual(await handled.until(1), [good.id]);
  for (const body of poison) {
    const letter = await bench.deadLetter();
    assert.deepEqual(letter.body, body instanceof Uint8Array ? Buffer.from(body) : body);
    assert.equal(letter.headers["x-inlet-attempt"], 1);
  }
});

Deno.test("consume drops a repeat of what it has handled", async () => {
  const handled = calls<string>();
  await using bench = await Bench.start({ on: { [TYPE]: ({ id }) => handled.note(id) } });
  const [first, last] = [invoice(), invoice()];
  for (const event of [first, first, last]) await bench.publish(event);
  assert.deepEqual(await handled.until(2), [first.id, last.id]);
});

Deno.test("consume handles an event once whose acknowledgement the network lost, and consumes on", async () => {
  await using proxy = TcpProxy.before(testAmqpUrl());
  const handled = calls<string>();
  const begun = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const work = async ({ id }: { id: string }) => {
    begun.resolve();
    await gate.promise;
    handled.note(id);
  };
  await using bench = await Bench.start({ on: { [TYPE]: work } }, testAmqpUrl(), proxy.through(testAmqpUrl()));
  const [first, last] = [invoice(), invoice()];
  await bench.publish(first);
  await begun.promise;
  proxy.cut();
  gate.resolve();
  await bench.publish(last);
  assert.deepEqual(await handled.until(2), [first.id, last.id]);
  await bench.stop();
  assert.equal(await bench.waiting(), 0);
  assert.ok(bench.problems.some(({ kind }) => kind === "connection"));
});

Deno.test("consume begins anew where the network cuts it off while it begins", async () => {
  await using proxy = TcpProxy.before(testAmqpUrl());
  // Only the binding names the type.
  proxy.when(TYPE, () => proxy.cut());
  const handled = calls<string>();
  const on = { [TYPE]: ({ id }: { id: string }) => handled.note(id) };
  await using bench = await Bench.start({ on }, testAmqpUrl(), proxy.through(testAmqpUrl()));
  const sent = invoice();
  await bench.publish(sent);
  assert.deepEqual(await handled.until(1), [sent.id]);
  assert.ok(bench.problems.some(({ kind }) => kind === "connection"));
});

Deno.test("consume declares and binds anew after a lost connection what was deleted on the broker", async () => {
  await using proxy = TcpProxy.before(testAmqpUrl());
  const handled = calls<string>();
  const on = { [TYPE]: ({ id }: { id: string }) => handled.note(id) };
  await using bench = await Bench.start({ on }, testAmqpUrl(), proxy.through(testAmqpUrl()));
  await bench.connection.exchangeDelete({ exchange: bench.exchange });
  await bench.connection.queueDelete({ queue: bench.queue });
  proxy.cut();
  const sent = invoice();
  // There is nowhere to publish it to until the exchange is there, and the broker drops it until the queue is bound.
  while (handled.made.length === 0) {
    await bench.publish(sent).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.deepEqual(handled.made, [sent.id]);
});

Deno.test("stop waits for the handler that runs, and leaves the rest in the queue", async () => {
  const handled = calls<string>();
  const begun = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const work = async ({ id }: { id: string }) => {
    begun.resolve();
    await gate.promise;
    handled.note(id);
  };
  await using bench = await Bench.start({ prefetch: 1, on: { [TYPE]: work } });
  const [first, second] = [invoice(), invoice()];
  for (const event of [first, second]) await bench.publish(event);
  await begun.promise;
  const stopped = bench.stop();
  gate.resolve();
  await stopped;
  assert.deepEqual(handled.made, [first.id]);
  assert.equal(await bench.waiting(), 1);
});

Deno.test("stop waits for the handler that runs where the connection is lost meanwhile, and ends", async () => {
  await using proxy = TcpProxy.before(testAmqpUrl());
  const begun = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const ended: string[] = [];
  const work = async () => {
    begun.resolve();
    await gate.promise;
    ended.push("handler");
  };
  await using bench = await Bench.start({ on: { [TYPE]: work } }, testAmqpUrl(), proxy.through(testAmqpUrl()));
  await bench.publish(invoice());
  await begun.promise;
  // So the broker names a consumer, whom only the end of consuming names again.
  proxy.when("amq.ctag", () => proxy.down());
  const stopped = bench.stop().then(() => ended.push("stop"));
  while (bench.problems.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  gate.resolve();
  await stopped;
  assert.deepEqual(ended, ["handler", "stop"]);
  // This one has no end of its own to wait for: it must see that all is closed.
  await bench.stop(LONGEST_TIMEOUT_MS);
});

Deno.test("stop gives a handler that hangs up after its time, and its event comes again", async () => {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const hang = () => {
    begun.resolve();
    return end.promise;
  };
  await using bench = await Bench.start({ on: { [TYPE]: hang } });
  const sent = invoice();
  await bench.publish(sent);
  await begun.promise;
  await bench.stop(1);
  const handled = calls<string>();
  await bench.consume({ on: { [TYPE]: ({ id }) => handled.note(id) } }, testAmqpUrl());
  assert.deepEqual(await handled.until(1), [sent.id]);
  // It comes again, and nothing tries it once more when the one that hung fails at last.
  end.reject(new Error("too late"));
  while (bench.problems.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(bench.problems.map(({ kind }) => kind), ["connection"]);
});

Deno.test("consume refuses what it cannot consume with, and says why", async () => {
  const options = { url: testAmqpUrl(), queue: "q", exchange: uniqueExchange() };
  await assert.rejects(consume(options), { name: "TypeError", message: /no event would come/ });
  await assert.rejects(consume({ ...options, bind: ["#"], prefetch: 0 }), { name: "TypeError", message: /from 1 on/ });
  await assert.rejects(consume({ ...options, bind: ["#"], prefetch: 65_536 }), {
    name: "TypeError",
    message: /at most/,
  });
  await assert.rejects(consume({ ...options, bind: ["#"], queue: "" }), {
    name: "TypeError",
    message: /queue is empty/,
  });
  for (const long of [{ queue: "q".repeat(244) }, { exchange: "é".repeat(128) }, { bind: ["a.".repeat(128)] }]) {
    await assert.rejects(consume({ ...options, bind: ["#"], ...long }), { name: "TypeError", message: /255 bytes/ });
  }
  const nowhere = { ...options, url: "amqp://127.0.0.1:1", bind: ["#"], connectTimeoutMs: 50, onProblem: () => {} };
  await assert.rejects(consume(nowhere), { message: /^Cannot consume from q: no connection within 50 ms/ });
  await assert.rejects(consume({ ...nowhere, url: "localhost:5672" }), { name: "TypeError", message: /url is no/ });
});

Deno.test("consume refuses a queue of its name that is of another kind", async () => {
  const connection = new Connection(testAmqpUrl());
  const queue = `${uniqueExchange()}.other`;
  const exchange = uniqueExchange();
  await connection.queueDeclare({ queue, exclusive: true });
  const options = { url: testAmqpUrl(), exchange, queue, bind: ["#"], onProblem: () => {} };
  await assert.rejects(consume(options), { message: /^Cannot consume from .*(?:RESOURCE_LOCKED|PRECONDITION)/ });
  await connection.queueDelete({ queue: `${queue}.dead` });
  await connection.exchangeDelete({ exchange });
  await connection.close();
});

Deno.test("consume takes an option that is undefined as one that is not given", async () => {
  const connection = new Connection(testAmqpUrl());
  const exchange = uniqueExchange();
  const queue = `${exchange}.unset`;
  const given = { url: testAmqpUrl(), exchange, queue, bind: ["#"] };
  const unset = { on: undefined, prefetch: undefined, retryDelaysMs: undefined, deliveryLimit: undefined };
  const first = await consume({ ...given, ...unset, queueType: undefined, seen: undefined, onProblem: undefined });
  // The broker refuses queues that are there with other arguments.
  const second = await consume(given);
  await first.stop();
  await second.stop();
  for (const name of ["", ".dead", ".retry.1000", ".retry.10000", ".retry.60000"]) {
    await connection.queueDelete({ queue: `${queue}${name}` });
  }
  await connection.exchangeDelete({ exchange });
  await connection.close();
});

/** The memory that a broker may use, as a part of what there is. */
async function allowMemory(node: PrivateNode, part: string): Promise<void> {
  await node.ctl("set_vm_memory_high_watermark", part);
}

Deno.test("consume outlives what befalls a broker", async (t) => {
  const node = await providePrivateNode();
  try {
    await t.step(
      "whose memory is short: it takes on, and tries again what failed once the broker takes that",
      async () => {
        const sent = Array.from({ length: 20 }, () => invoice());
        const [failing, ...rest] = sent.map(({ id }) => id);
        const [handled, triedAgain] = [calls<string>(), calls<string>()];
        const gate = Promise.withResolvers<void>();
        let tries = 0;
        const work = async ({ id }: { id: string }) => {
          await gate.promise;
          if (id !== failing) return handled.note(id);
          if (++tries === 1) throw new Error("not now");
          triedAgain.note(id);
        };
        await using bench = await Bench.start({ prefetch: 2, on: { [TYPE]: work } }, node.url);
        for (const event of sent) await bench.publish(event);
        await allowMemory(node, "0.00001");
        gate.resolve();
        assert.deepEqual((await handled.until(rest.length)).toSorted(), rest.toSorted());
        await allowMemory(node, "0.4");
        await triedAgain.until(1);
      },
    );

    await t.step("that is killed: what is in work is handled once, what waits for its next try comes", async () => {
      const [failing, first, last] = [invoice(), invoice(), invoice()];
      const handled = calls<string>();
      const begun = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      let tries = 0;
      const work = async ({ id }: { id: string }) => {
        if (id === failing.id && ++tries === 1) throw new Error("not today");
        begun.resolve();
        await gate.promise;
        handled.note(id);
      };
      // The broker is away for longer than it takes to die, so that the second try is due while it is.
      await using bench = await Bench.start({ prefetch: 1, on: { [TYPE]: work }, retryDelaysMs: [3_000] }, node.url);
      await settle(node);
      for (const event of [failing, first]) await bench.publish(event);
      await begun.promise;
      assert.deepEqual(bench.problems.map(({ kind }) => kind), ["retry"]);
      await node.kill();
      gate.resolve();
      await node.restart();
      await bench.publish(last);
      assert.deepEqual((await handled.until(3)).toSorted(), [failing.id, first.id, last.id].toSorted());
      assert.equal(tries, 2);
    });
  } finally {
    await node.stop();
  }
});
