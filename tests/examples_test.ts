/** The example consumer without a package of ours, run with Debian's Python and pika. */
import { toCloudEvent } from "@inlet/events-core";
import assert from "node:assert/strict";
import { Connection } from "rabbitmq-client";
import { cleanUp, testAmqpUrl, uniqueExchange } from "./support/broker.ts";
import { someEvent } from "./support/events.ts";
import { pikaIsPresent, PYTHON } from "./support/python.ts";

Deno.test({
  name: "the Python example prints each event once, also of CloudEvents",
  // Python and pika are nothing that Inlet needs: where they are not to be had, there is nothing to try.
  ignore: !await pikaIsPresent(),
  async fn() {
    const [url, exchange] = [testAmqpUrl(), uniqueExchange()];
    const queue = `${exchange}.python`;
    const connection = new Connection(url);
    const publisher = connection.createPublisher({ confirm: true });
    await connection.exchangeDeclare({ exchange, type: "topic", durable: true });
    await connection.queueDeclare({ queue, durable: true, arguments: { "x-queue-type": "quorum" } });
    const [first, last] = [someEvent().event, someEvent().event];
    for (const body of [first, first, toCloudEvent(last)]) {
      await publisher.send({ routingKey: queue, durable: true }, body);
    }

    const example = new Deno.Command(PYTHON, {
      args: ["examples/consumer.py"],
      cwd: new URL("../", import.meta.url),
      env: { AMQP_URL: url, AMQP_EXCHANGE: exchange, QUEUE: queue },
      stdout: "piped",
    }).spawn();
    let said = "";
    let asked = false;
    for await (const text of example.stdout.pipeThrough(new TextDecoderStream())) {
      said += text;
      if (asked || !said.includes(last.id)) continue;
      asked = true;
      example.kill("SIGINT");
    }
    await example.status;
    assert.equal(said, `${first.id} ${first.type}\n${last.id} ${last.type}\n`);

    await publisher.close();
    await connection.queueDelete({ queue });
    await connection.close();
    await cleanUp(url, exchange);
  },
});
