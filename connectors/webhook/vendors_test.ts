/** What the senders' own npm libraries sign is accepted here, and they accept what is signed here. */
import { LinearWebhookClient } from "@linear/sdk/webhooks";
import "@shopify/shopify-api/adapters/web-api";
import { ApiVersion, shopifyApi } from "@shopify/shopify-api";
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import Stripe from "stripe";
import { SignatureError } from "../kit/mod.ts";
import { ARRIVAL, opened, request } from "./testing.ts";

const STRIPE_SECRET = "whsec_5f3c8a1e9b7d4c2f6a8e0b1d3c5f7a9b";
const invoice = JSON.stringify({ id: "evt_1", object: "event", type: "invoice.paid", created: 1772452800, data: {} });
const seconds = (at: Date) => Math.floor(at.getTime() / 1000);
const stripeHeader = (timestamp: number, secret = STRIPE_SECRET) =>
  Stripe.webhooks.generateTestHeaderStringAsync({ payload: invoice, secret, timestamp });

/** The fault that a receiver finds in a request, `authentic` if none. */
function faultOf(receiver: ReturnType<typeof opened>, ...sent: Parameters<typeof request>): string {
  try {
    receiver.receive(request(...sent));
    return "authentic";
  } catch (error) {
    assert.ok(error instanceof SignatureError, String(error));
    return error.fault;
  }
}

Deno.test("stripe: what npm stripe signs is accepted", async () => {
  const receiver = opened({ preset: "stripe" }, STRIPE_SECRET);
  const header = await stripeHeader(seconds(ARRIVAL));
  const { deliveryId, drafts } = receiver.receive(request({ "stripe-signature": header }, invoice));
  assert.equal(deliveryId, "evt_1");
  assert.deepEqual(drafts.map(({ type }) => type), ["webhook.invoice.paid"]);
});

Deno.test("stripe: npm stripe accepts what is signed here", async () => {
  const headers = opened({ preset: "stripe" }, STRIPE_SECRET).sign(request({}, invoice));
  const header = headers.get("stripe-signature") ?? assert.fail();
  const event = await Stripe.webhooks.constructEventAsync(
    invoice,
    header,
    STRIPE_SECRET,
    300,
    Stripe.createSubtleCryptoProvider(),
    ARRIVAL.getTime(),
  );
  assert.equal(event.id, "evt_1");
});

Deno.test("stripe: while a secret is rolled, two signatures are sent and either secret verifies", async () => {
  const other = "whsec_0a1b2c3d4e5f60718293a4b5c6d7e8f9";
  const header = await stripeHeader(seconds(ARRIVAL));
  const [, second] = (await stripeHeader(seconds(ARRIVAL), other)).split(",");
  const rolled = { "stripe-signature": `${header},${second},v0=6ffbb59b2300aae63f272406069a9788` };
  assert.equal(faultOf(opened({ preset: "stripe" }, STRIPE_SECRET), rolled, invoice), "authentic");
  assert.equal(faultOf(opened({ preset: "stripe" }, other), rolled, invoice), "authentic");
  assert.equal(faultOf(opened({ preset: "stripe" }, "whsec_of_somebody_else"), rolled, invoice), "mismatch");
});

Deno.test("stripe: a signature of five minutes ago or ahead is accepted, one second more is not", async () => {
  const receiver = opened({ preset: "stripe" }, STRIPE_SECRET);
  const faults = await Promise.all([-301, -300, 300, 301].map(async (off) => {
    const header = await stripeHeader(seconds(ARRIVAL) + off);
    return faultOf(receiver, { "stripe-signature": header }, invoice);
  }));
  assert.deepEqual(faults, ["stale", "authentic", "authentic", "stale"]);
});

Deno.test("stripe: the time cannot be moved without the secret", async () => {
  const old = await stripeHeader(seconds(ARRIVAL) - 3600);
  const receiver = opened({ preset: "stripe" }, STRIPE_SECRET);
  const moved = old.replace(/t=\d+/, `t=${seconds(ARRIVAL)}`);
  assert.equal(faultOf(receiver, { "stripe-signature": moved }, invoice), "mismatch");
  assert.equal(faultOf(receiver, { "stripe-signature": `t=${seconds(ARRIVAL)},${old}` }, invoice), "malformed");
});

const SHOPIFY_SECRET = "shpss_8d3f0a6c5e7b41f29a0c";
const order = JSON.stringify({ id: 548380009, name: "#1001" });
const shopifyHeaders = {
  "x-shopify-topic": "orders/create",
  "x-shopify-shop-domain": "acme-rovers.myshopify.com",
  "x-shopify-api-version": "2026-01",
  "x-shopify-webhook-id": "b54557e4-bdd9-4b37-8a5f-bf7d70bcd043",
};

Deno.test("shopify: npm @shopify/shopify-api accepts what is signed here, and reads the same topic and id", async () => {
  const { webhooks } = shopifyApi({
    apiKey: "key",
    apiSecretKey: SHOPIFY_SECRET,
    apiVersion: ApiVersion.January26,
    hostName: "inlet.example.com",
    isEmbeddedApp: true,
    logger: { log: () => {} },
  });
  const receiver = opened({ preset: "shopify" }, SHOPIFY_SECRET);
  const headers = receiver.sign(request(shopifyHeaders, order));
  const rawRequest = new Request("https://inlet.example.com", { method: "POST", headers, body: order });
  const validated = await webhooks.validate({ rawBody: order, rawRequest });
  assert.ok(validated.valid);
  const { deliveryId, drafts } = receiver.receive({ ...request({}, order), headers });
  assert.equal(deliveryId, validated.webhookId);
  assert.deepEqual(drafts.map(({ type, payload }) => [type, payload.type]), [[
    "webhook.orders.create",
    "orders/create",
  ]]);
});

Deno.test("shopify: the documented HMAC, base64 over the body, is accepted, and of another body refused", () => {
  const hmac = createHmac("sha256", SHOPIFY_SECRET).update(order).digest("base64");
  const receiver = opened({ preset: "shopify" }, SHOPIFY_SECRET);
  const headers = { ...shopifyHeaders, "x-shopify-hmac-sha256": hmac };
  assert.equal(faultOf(receiver, headers, order), "authentic");
  assert.equal(faultOf(receiver, headers, `${order} `), "mismatch");
});

const LINEAR_SECRET = "lin_wh_2b7e151628aed2a6abf7158809cf4f3c";
const issue = (webhookTimestamp: unknown) =>
  JSON.stringify({ action: "create", type: "Issue", data: { id: "issue-1" }, webhookTimestamp });
const linearHeaders = (body: string) => ({
  "linear-delivery": "d-1",
  "linear-signature": createHmac("sha256", LINEAR_SECRET).update(body).digest("hex"),
});

Deno.test("linear: npm @linear/sdk and the connector accept the same delivery", () => {
  const now = new Date();
  const body = issue(now.getTime());
  const headers = linearHeaders(body);
  assert.ok(new LinearWebhookClient(LINEAR_SECRET).verify(Buffer.from(body), headers["linear-signature"]));
  const receiver = opened({ preset: "linear" }, LINEAR_SECRET);
  assert.equal(faultOf(receiver, headers, body, now), "authentic");
  const signed = receiver.sign(request({}, body, now)).get("linear-signature") ?? assert.fail();
  assert.ok(new LinearWebhookClient(LINEAR_SECRET).verify(Buffer.from(body), signed));
});

Deno.test("linear: npm @linear/sdk and the connector refuse another secret, an old time and a body without one", () => {
  const now = new Date();
  const client = new LinearWebhookClient(LINEAR_SECRET);
  const receiver = opened({ preset: "linear" }, LINEAR_SECRET);
  const cases: [string, string][] = [
    [issue(now.getTime() - 3_600_000), "stale"],
    [issue(now.getTime() + 3_600_000), "stale"],
    [issue(undefined), "missing"],
    [issue(null), "missing"],
    [issue("yesterday"), "malformed"],
  ];
  for (const [body, fault] of cases) {
    const headers = linearHeaders(body);
    assert.throws(() => client.verify(Buffer.from(body), headers["linear-signature"]), body);
    assert.equal(faultOf(receiver, headers, body, now), fault, body);
  }
  const body = issue(now.getTime());
  const forged = { ...linearHeaders(body), "linear-signature": "00".repeat(32) };
  assert.throws(() => client.verify(Buffer.from(body), forged["linear-signature"]));
  assert.equal(faultOf(receiver, forged, body, now), "mismatch");
});

// The vector of the specification's reference libraries.
const SVIX_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const SIGNED_AT = new Date(1614265330_000);
const vector = '{"test": 2432232314}';
const vectorHeaders = {
  "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
  "webhook-timestamp": "1614265330",
  "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
};

Deno.test("standard-webhooks: the published vector is accepted, among other signatures, and refused when late", () => {
  const receiver = opened({ preset: "standard-webhooks" }, SVIX_SECRET);
  assert.equal(faultOf(receiver, vectorHeaders, vector, SIGNED_AT), "authentic");
  const list = `v1,${"A".repeat(43)}= v1a,other ${vectorHeaders["webhook-signature"]}`;
  assert.equal(faultOf(receiver, { ...vectorHeaders, "webhook-signature": list }, vector, SIGNED_AT), "authentic");
  assert.equal(faultOf(receiver, vectorHeaders, vector, new Date(SIGNED_AT.getTime() + 301_000)), "stale");
  assert.equal(faultOf(receiver, { ...vectorHeaders, "webhook-id": "msg_other" }, vector, SIGNED_AT), "mismatch");
});

Deno.test("standard-webhooks: npm standardwebhooks accepts what is signed here, under svix's names too", () => {
  const now = new Date();
  const verified = (headers: Headers) => new Webhook(SVIX_SECRET).verify(vector, Object.fromEntries(headers));
  const receiver = opened({ preset: "standard-webhooks" }, SVIX_SECRET);
  assert.deepEqual(verified(receiver.sign(request({}, vector, now))), JSON.parse(vector));

  const svix = opened({
    preset: "standard-webhooks",
    deliveryId: "header:svix-id",
    timestamp: "header:svix-timestamp",
    signatureHeader: "svix-signature",
  }, SVIX_SECRET).sign(request({ "svix-id": "msg_1" }, vector, now));
  const renamed = new Headers();
  for (const [name, value] of svix) renamed.set(name.replace("svix-", "webhook-"), value);
  assert.deepEqual(verified(renamed), JSON.parse(vector));
});
