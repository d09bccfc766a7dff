/** The main promise, end to end: every GitHub delivery in, every event out once, on the broker and on the live stream. */
import { normalizedEventSchema } from "@inlet/events-core";
import { githubEventTypes, githubPayloadSchemas, isGithubEventType } from "@inlet/github-events";
import examples from "@octokit/webhooks-examples" with { type: "json" };
import assert from "node:assert/strict";
import { z } from "zod";
import { acceptedEvents } from "./support/accepted.ts";
import { ForeignConsumer, testAmqpUrl, uniqueExchange } from "./support/broker.ts";
import { InletProcess } from "./support/inlet.ts";
import { sign } from "./support/sign.ts";
import { StreamClient } from "./support/streams.ts";

const SECRET = "a secret shared with GitHub";

interface SignedDelivery {
  readonly name: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Every example of npm `@octokit/webhooks-examples`, every third of them form-encoded, as GitHub can send it. */
const deliveries: readonly SignedDelivery[] = examples.flatMap(({ name, examples }) =>
  examples.map((example, index) => {
    const form = index % 3 === 2;
    const body = form ? new URLSearchParams({ payload: JSON.stringify(example) }).toString() : JSON.stringify(example);
    const headers = {
      "content-type": form ? "application/x-www-form-urlencoded" : "application/json",
      "x-github-event": name,
      "x-github-delivery": `${name}-${index}`,
      "x-hub-signature-256": `sha256=${sign(SECRET, body)}`,
    };
    return { name, headers, body };
  })
);

async function deliver(url: string, { name, headers, body }: SignedDelivery): Promise<number> {
  return await acceptedEvents(await fetch(url, { method: "POST", headers, body }), name);
}

Deno.test("every GitHub example arrives as events, each once, at a foreign consumer and on the live stream", async () => {
  const amqpUrl = testAmqpUrl();
  const exchange = uniqueExchange();
  await using consumer = await ForeignConsumer.bind(amqpUrl, exchange, "github.#");
  await using inlet = await InletProcess.start({ env: { AMQP_URL: amqpUrl, AMQP_EXCHANGE: exchange } });
  const workspaceId = await inlet.setUp();
  const webhookUrl = await inlet.enable(workspaceId, "github", { webhookSecret: SECRET });
  using stream = await StreamClient.open(inlet.url, workspaceId);

  let published = 0;
  for (const delivery of deliveries) {
    const count = await deliver(webhookUrl, delivery);
    assert.equal(count > 0, delivery.name !== "ping", delivery.name);
    published += count;
  }
  assert.ok(deliveries.length >= 250 && published >= deliveries.length - 10, `${published} of ${deliveries.length}`);

  const messages = await consumer.untilDifferent(published);
  const streamed = await stream.until(published);
  assert.equal(messages.length, published);
  assert.deepEqual(streamed.map(({ id }) => id), messages.map(({ properties }) => properties.messageId));
  assert.equal(new Set(streamed.map(({ id }) => id)).size, published, "every id is unique");
  for (const [index, { routingKey, text, properties }] of messages.entries()) {
    const event = normalizedEventSchema.parse(JSON.parse(text));
    assert.equal(streamed[index]?.data, text);
    assert.equal(event.id, properties.messageId);
    assert.equal(event.workspaceId, workspaceId);
    assert.equal(routingKey, event.type);
    assert.equal(properties.type, event.type);
    assert.equal(properties.durable, true);
    assert.equal(properties.headers["workspace-id"], workspaceId);
    assert.ok(isGithubEventType(event.type), event.type);
    githubPayloadSchemas[event.type].parse(event.payload);
  }

  const [first] = deliveries.filter(({ name }) => name === "push");
  assert.ok(first);
  assert.equal(await deliver(webhookUrl, first), 0, "a redelivery publishes nothing");

  const { triggers } = z.object({ triggers: z.array(z.string()) }).parse(
    (await (await fetch(`${inlet.url}/connectors/github`)).json()).manifest,
  );
  assert.deepEqual(triggers, githubEventTypes);
  const readiness = await fetch(`${inlet.url}/readyz`);
  assert.equal(readiness.status, 200, await readiness.text());

  const { code, output } = await inlet.stop();
  assert.equal(code, 0, output);
  assert.equal(output.match(/accepted "github" delivery/g)?.length, deliveries.length, "one line per delivery");
  assert.equal(output.match(/had "github" delivery "push-0" before: nothing published/g)?.length, 1);
  const token = webhookUrl.split("/").at(-1) ?? assert.fail();
  const signature = first.headers["x-hub-signature-256"] ?? assert.fail();
  for (const secret of [SECRET, token, signature, new URL(amqpUrl).password + "@", "Codertocat"]) {
    assert.ok(!output.includes(secret), `the log holds ${secret}`);
  }
});
