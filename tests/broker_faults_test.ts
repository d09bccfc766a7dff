/** A broker of our own, to be harmed: what the service's exchange does about it. */
import assert from "node:assert/strict";
import { connectAmqpExchange } from "../server/broker/amqp.ts";
import type { Exchange } from "../server/deps.ts";
import { BrokerUnavailableError } from "../server/errors.ts";
import { ForeignConsumer } from "./support/broker.ts";
import { someEvent } from "./support/events.ts";
import { providePrivateNode } from "./support/rabbitmq.ts";

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
    const exchange = await connectAmqpExchange({ ...options, url: node.url });
    assert.equal((await exchange.publish([someEvent()])).published, 1);

    await node.ctl("set_vm_memory_high_watermark", "0");
    // The broker tells that it blocks a connection when that publishes next, and does not confirm then.
    const blocked = exchange.publish([someEvent()]);
    assert.match(await untilHealth(exchange, false), /the broker takes no messages/);
    await assert.rejects(exchange.publish([someEvent()]), BrokerUnavailableError);
    await node.ctl("set_vm_memory_high_watermark", "0.4");
    await untilHealth(exchange, true);
    assert.equal((await blocked).published, 1, "what was under way is confirmed after all");

    const other = await connectAmqpExchange({ ...options, url: node.url });
    await node.ctl("set_vm_memory_high_watermark", "0");
    const unconfirmed = other.publish([someEvent()]).catch((error) => error);
    await untilHealth(other, false);
    await other.subscribe(() => {});
    const closing = other.close();
    await node.ctl("set_vm_memory_high_watermark", "0.4");
    await Promise.all([closing, unconfirmed]);

    await node.kill();
    await untilHealth(exchange, false);
    await assert.rejects(exchange.publish([someEvent()]), BrokerUnavailableError);
    await node.restart();
    await untilHealth(exchange, true);
    await using consumer = await ForeignConsumer.bind(node.url, "inlet.events");
    assert.deepEqual(await exchange.publish([someEvent()]), { published: 1, unrouted: 0, queued: 0 });
    assert.equal((await consumer.until(1)).length, 1);
    await exchange.close();
  } finally {
    await node.stop();
  }
});
