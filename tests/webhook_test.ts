/** The generic webhook connector, end to end: what each sender's own library signs or accepts becomes events, each once. */
import { normalizedEventSchema } from "@inlet/events-core";
import { isWebhookEventType, webhookPayloadSchema } from "@inlet/webhook-events";
import { LinearWebhookClient } from "@linear/sdk/webhooks";
import "@shopify/shopify-api/adapters/web-api";
import { ApiVersion, shopifyApi } from "@shopify/shopify-api";
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import Stripe from "stripe";
import { acceptedEvents } from "./support/accepted.ts";
import { ForeignConsumer, testAmqpUrl, uniqueExchange } from "./support/broker.ts";
import { InletProcess } from "./support/inlet.ts";
import { StreamClient } from "./support/streams.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw1x7bXyP2a4Q=";
const PRIVATE = "ada.park@example.com";

interface Sent {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** A sender: its preset, how it signs, and the types that its deliveries are to become. */
interface Sender {
  readonly preset: string;
  readonly types: Readonly<Record<string, string>>;
  /** The `index`th delivery, of the sender's type `type`, signed now; a repeat of it has the same index. */
  signed(type: string, index: number): Promise<Sent>;
}

const json = { "content-type": "application/json" };
const hmac = (body: string, encoding: "hex" | "base64") => createHmac("sha256", SECRET).update(body).digest(encoding);

const stripe: Sender = {
  preset: "stripe",
  types: {
    "invoice.paid": "webhook.invoice.paid",
    "invoice.payment_failed": "webhook.invoice.payment_failed",
    "customer.subscription.created": "webhook.customer_subscription.created",
    "charge.dispute.funds_withdrawn": "webhook.charge_dispute.funds_withdrawn",
    "v2.core.event_destination.ping": "webhook.v2_core_event_destination.ping",
  },
  async signed(type, index) {
    const object = { id: `in_${index}`, object: "invoice", customer_email: PRIVATE };
    const body = JSON.stringify({ id: `evt_${index}`, object: "event", type, created: 1772452800, data: { object } });
    const header = await Stripe.webhooks.generateTestHeaderStringAsync({ payload: body, secret: SECRET });
    return { headers: { ...json, "stripe-signature": header }, body };
  },
};

const shopifyLibrary = shopifyApi({
  apiKey: "key",
  apiSecretKey: SECRET,
  apiVersion: ApiVersion.January26,
  hostName: "inlet.example.com",
  isEmbeddedApp: true,
  logger: { log: () => {} },
});

const shopify: Sender = {
  preset: "shopify",
  types: {
    "orders/create": "webhook.orders.create",
    "orders/partially_fulfilled": "webhook.orders.partially_fulfilled",
    "customers/data_request": "webhook.customers.data_request",
    "app/uninstalled": "webhook.app.uninstalled",
  },
  async signed(type, index) {
    const body = JSON.stringify({ id: 548380009 + index, name: `#${index}`, email: PRIVATE });
    const headers = {
      ...json,
      "x-shopify-topic": type,
      "x-shopify-hmac-sha256": hmac(body, "base64"),
      "x-shopify-shop-domain": "acme-rovers.myshopify.com",
      "x-shopify-api-version": "2026-01",
      "x-shopify-webhook-id": `b54557e4-${index}`,
    };
    const rawRequest = new Request("https://inlet.example.com", { method: "POST", headers, body });
    assert.ok((await shopifyLibrary.webhooks.validate({ rawBody: body, rawRequest })).valid, "the library accepts it");
    return { headers, body };
  },
};

const linear: Sender = {
  preset: "linear",
  types: {
    "Issue.create": "webhook.issue.create",
    "Comment.remove": "webhook.comment.remove",
    "ProjectUpdate.update": "webhook.project_update.update",
    "AppUserNotification.issueAssignedToYou": "webhook.app_user_notification.issue_assigned_to_you",
  },
  signed(type, index) {
    const [entity, action] = type.split(".");
    const data = { id: `issue-${index}`, title: "Wheels spin in sand", creator: PRIVATE };
    const body = JSON.stringify({ type: entity, action, data, webhookTimestamp: Date.now() });
    const headers = { ...json, "linear-delivery": `linear-${index}`, "linear-signature": hmac(body, "hex") };
    const client = new LinearWebhookClient(SECRET);
    assert.ok(client.verify(Buffer.from(body), headers["linear-signature"]), "the library accepts it");
    return Promise.resolve({ headers, body });
  },
};

const standard: Sender = {
  preset: "standard-webhooks",
  types: { "user.created": "webhook.user.created", ping: "webhook.ping.received" },
  signed(type, index) {
    const now = new Date();
    const body = JSON.stringify({ type, timestamp: now.toISOString(), data: { id: index, email: PRIVATE } });
    const headers = {
      ...json,
      "webhook-id": `msg_${index}`,
      "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
      "webhook-signature": new Webhook(SECRET).sign(`msg_${index}`, now, body),
    };
    return Promise.resolve({ headers, body });
  },
};

const TIMES = 5;

async function post(url: string, { headers, body }: Sent): Promise<Response> {
  return await fetch(url, { method: "POST", headers, body });
}

Deno.test("what Stripe, Shopify, Linear and Standard Webhooks send arrives once at a consumer and on the live stream", async () => {
  const amqpUrl = testAmqpUrl();
  const exchange = uniqueExchange();
  await using consumer = await ForeignConsumer.bind(amqpUrl, exchange, "webhook.*.*");
  await using inlet = await InletProcess.start({ env: { AMQP_URL: amqpUrl, AMQP_EXCHANGE: exchange } });
  const workspaceId = await inlet.setUp();
  const enable = (preset: string) => inlet.enable(workspaceId, "webhook", { signingSecret: SECRET }, { preset });
  const url = await enable("stripe");
  using stream = await StreamClient.open(inlet.url, workspaceId);

  const expected: string[] = [];
  const proofs: string[] = [];
  for (const sender of [stripe, shopify, linear, standard]) {
    assert.equal(await enable(sender.preset), url, "the URL stays");
    for (const [type, eventType] of Object.entries(sender.types)) {
      for (let time = 0; time < TIMES; time++) {
        const sent = await sender.signed(type, expected.length);
        assert.equal(await acceptedEvents(await post(url, sent), type), 1, type);
        expected.push(eventType);
      }
    }
    const genuine = await sender.signed(Object.keys(sender.types)[0] ?? "", 1_000_000);
    const forged = await post(url, { ...genuine, body: `${genuine.body} ` });
    assert.equal(forged.status, 401, await forged.text());
    proofs.push(
      ...Object.entries(genuine.headers).flatMap(([name, value]) => /signature|hmac/.test(name) ? value : []),
    );
  }

  const messages = await consumer.untilDifferent(expected.length);
  const streamed = await stream.until(expected.length);
  assert.deepEqual(messages.map(({ routingKey }) => routingKey), expected);
  assert.deepEqual(streamed.map(({ data }) => data), messages.map(({ text }) => text));
  const ids = new Set(messages.map(({ properties }) => properties.messageId));
  assert.equal(ids.size, expected.length, "every id is unique");
  for (const { text } of messages) {
    const event = normalizedEventSchema.parse(JSON.parse(text));
    assert.equal(event.workspaceId, workspaceId);
    assert.equal(event.source, "webhook");
    assert.ok(isWebhookEventType(event.type));
    assert.ok(JSON.stringify(webhookPayloadSchema.parse(event.payload).data).includes(PRIVATE), "the JSON is whole");
  }

  // Signed anew, as a sender does that had no answer: nothing comes of it, or the same event again.
  await enable("stripe");
  const again = await acceptedEvents(await post(url, await stripe.signed("invoice.paid", 0)), "a repeat");
  const repeats = (await consumer.until(expected.length + again)).slice(expected.length);
  for (const { properties } of repeats) assert.ok(ids.has(properties.messageId), "a repeat keeps its id");

  const { code, output } = await inlet.stop();
  assert.equal(code, 0, output);
  assert.equal(proofs.length, 4);
  const token = url.split("/").at(-1) ?? assert.fail();
  for (const secret of [SECRET, token, PRIVATE, ...proofs]) {
    assert.ok(!output.includes(secret), `the log holds ${secret}`);
  }
});
