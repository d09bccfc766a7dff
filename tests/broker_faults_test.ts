/** A broker of our own, to be harmed: what the service's exchange does about it. */
import { configure, type LogRecord, reset } from "@logtape/logtape";
import assert from "node:assert/strict";
import { connectAmqpExchange } from "../server/broker/amqp.ts";
import { spoolingExchange } from "../server/broker/spooling.ts";
import { createSealer } from "../server/crypto/seal.ts";
import type { Broker, DeadLetter, Exchange, SerializedEvent, SpoolingExchange } from "../server/deps.ts";
import { BrokerUnavailableError } from "../server/errors.ts";
import { deadLetterStore } from "../server/store/dead_letters.ts";
import { spoolStore } from "../server/store/spool.ts";
import { ForeignConsumer } from "./support/broker.ts";
import { someEvent } from "./support/events.ts";
import { providePrivateNode } from "./support/rabbitmq.ts";

/** `max_message_size`, for channels that are opened from now on: where RabbitMQ 3 looks, and where 4 does. */
const LOW_LIMIT =
  "application:set_env(rabbit, max_message_size, 200000), persistent_term:put(max_message_size, 200000).";

const sealer = await createSealer(new Uint8Array(32).fill(7));
const now = () => new Date();

/** A spool before a broker, whose publishers can wait for its confirms for an hour. */
function spoolingBefore(broker: Broker, kv: Deno.Kv): SpoolingExchange {
  const spool = spoolStore(kv, { sealer, limitBytes: 1e9, dedupeWindowMs: 0, now });
  return spoolingExchange({
    broker,
    spool,
    journal: undefined,
    accepted: undefined,
    publishTimeoutMs: 3_600_000,
    now,
  });
}

async function untilHealth(exchange: Exchange, ok: boolean): Promise<string> {
  while (exchange.health().ok !== ok) await new Promise((resolve) => setTimeout(resolve, 20));
  return exchange.health().detail;
}

Deno.test("a broker that takes no messages, then is killed, then restarted: refused at once, and never a crash", async () => {
  const node = await providePrivateNode();
  try {
    const options = {
      exchange: "inlet.events",
      routingKey: "{type}",
      maxMessageBytes: 16_777_216,
    };
    const connect = async () => {
      const exchange = await connectAmqpExchange({ ...options, url: node.url });
      // It does not wait for a broker that is slow.
      await untilHealth(exchange, true);
      return exchange;
    };
    const exchange = await connect();
    assert.equal((await exchange.publish([someEvent()])).published, 1);

    await node.ctl("set_vm_memory_high_watermark", "0");
    // The broker tells that it blocks a connection when that publishes next, and does not confirm then.
    const blocked = exchange.publish([someEvent()]);
    assert.match(await untilHealth(exchange, false), /the broker takes no messages/);
    await assert.rejects(exchange.publish([someEvent()]), BrokerUnavailableError);
    await node.ctl("set_vm_memory_high_watermark", "0.4");
    await untilHealth(exchange, true);
    assert.equal((await blocked).published, 1, "what was under way is confirmed after all");

    const other = await connect();
    using kv = await Deno.openKv(":memory:");
    const spooling = spoolingBefore(await connect(), kv);
    await node.ctl("set_vm_memory_high_watermark", "0");
    assert.equal((await spooling.publish([someEvent()])).queued, 1, "it does not wait for the confirm any more");
    const unconfirmed = other.publish([someEvent()]).catch((error) => error);
    await untilHealth(other, false);
    await other.live.subscribe(() => {});
    const closing = other.close();
    await node.ctl("set_vm_memory_high_watermark", "0.4");
    await Promise.all([closing, unconfirmed]);
    await spooling.close();

    await node.kill();
    await untilHealth(exchange, false);
    await assert.rejects(exchange.publish([someEvent()]), BrokerUnavailableError);
    await node.restart();
    await untilHealth(exchange, true);
    // Right after a crash, RabbitMQ 3.10 can leave channels hanging that use a quorum queue.
    await using consumer = await ForeignConsumer.bind(node.url, "inlet.events", "#", "classic");
    assert.deepEqual(await exchange.publish([someEvent()]), { published: 1, unrouted: 0, queued: 0 });
    assert.equal((await consumer.until(1)).length, 1);
    await exchange.close();
  } finally {
    await node.stop();
  }
});

/** Publishes two events of one workspace through a spool. Gives the dead letter that the first becomes. */
async function assertSetAside(url: string, refused: SerializedEvent, after: SerializedEvent): Promise<DeadLetter> {
  await using consumer = await ForeignConsumer.bind(url, "inlet.events", "#", "classic");
  const options = { url, exchange: "inlet.events", routingKey: "{type}", maxMessageBytes: 16_777_216 };
  const broker = await connectAmqpExchange(options);
  await untilHealth(broker, true);
  using kv = await Deno.openKv(":memory:");
  const exchange = spoolingBefore(broker, kv);
  for (const event of [refused, after]) assert.equal((await exchange.publish([event])).queued, 1);
  await consumer.until(1);
  assert.deepEqual(consumer.messages.map(({ properties }) => properties.messageId), [after.event.id]);
  const [letter] = await deadLetterStore(kv, { sealer, now }).list(refused.event.workspaceId, { limit: 2 });
  await exchange.close();
  assert.equal(letter?.eventId, refused.event.id);
  return letter;
}

Deno.test("an event over which the broker closes the channel becomes a dead letter, and holds up no other", async () => {
  const node = await providePrivateNode();
  try {
    await node.ctl("eval", LOW_LIMIT);
    const large = await assertSetAside(node.url, someEvent({ text: "x".repeat(300_000) }), someEvent());
    assert.match(large.reason, /message size \d+ is larger/);

    await node.ctl("add_user", "inlet", "password");
    await node.ctl("set_permissions", "inlet", ".*", ".*", ".*");
    await node.ctl("set_topic_permissions", "inlet", "inlet.events", "^sample[.]thing[.]", ".*");
    const url = new URL(node.url);
    [url.username, url.password] = ["inlet", "password"];
    const records: LogRecord[] = [];
    await configure({
      sinks: { sink: (record) => void records.push(record) },
      loggers: [{ category: "inlet", sinks: ["sink"] }, { category: ["logtape", "meta"], lowestLevel: "warning" }],
    });
    const forbidden = await assertSetAside(url.href, someEvent({ type: "sample.other.made" }), someEvent());
    assert.match(forbidden.reason, /access to topic 'sample.other.made'/);
    const told = records.map(({ message }) => message.join(""));
    assert.ok(told.some((line) => /^the broker closed the channel: .*access to topic/.test(line)), told.join("\n"));
  } finally {
    await reset();
    await node.stop();
  }
});
