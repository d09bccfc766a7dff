import fc from "fast-check";
import { actorSchema, EVENT_TYPE_PATTERN, subjectSchema } from "@inlet/events-core";
import { isWebhookEventType, webhookPayloadSchema } from "@inlet/webhook-events";
import assert from "node:assert/strict";
import { webhook } from "./mod.ts";
import { EVENT_PLACES } from "./rule.ts";
import { ARRIVAL, normalized, opened, request } from "./testing.ts";

Deno.test("without any place, a delivery is an event of the sender about itself, with the JSON as its payload", () => {
  const { type, occurredAt, actor, subject, payload } = normalized({ sender: "orbit" }, { a: [1] });
  assert.equal(type, "webhook.event.received");
  assert.equal(occurredAt, ARRIVAL);
  assert.deepEqual(actor, { type: "system", id: "orbit" });
  assert.equal(subject.type, "event");
  assert.match(subject.id, /^sha256:[0-9a-f]{64}$/);
  assert.deepEqual(payload, { type: null, data: { a: [1] } });
});

Deno.test("the delivery's id is the subject where there is no other", () => {
  assert.deepEqual(normalized({ deliveryId: "/id" }, { id: 7 }).subject, { type: "event", id: "7" });
});

Deno.test("the type is the sender's, its action may stand elsewhere", () => {
  const typed = (config: Record<string, unknown>, body: unknown, headers?: Record<string, string>) => {
    const { type, payload } = normalized(config, body, headers);
    return [type, payload.type];
  };
  assert.deepEqual(typed({ eventType: "/type" }, { type: "order.paid" }), ["webhook.order.paid", "order.paid"]);
  assert.deepEqual(typed({ eventType: "header:X-Event" }, {}, { "x-event": "order/paid" }), [
    "webhook.order.paid",
    "order/paid",
  ]);
  const both = { eventType: "/type", eventAction: "/action" };
  assert.deepEqual(typed(both, { type: "Order", action: "paid" }), ["webhook.order.paid", "Order.paid"]);
  assert.deepEqual(typed(both, { type: "Order" }), ["webhook.order.received", "Order"]);
  assert.deepEqual(typed(both, { action: "paid" }), ["webhook.paid.received", "paid"]);
  assert.deepEqual(typed(both, { type: {}, action: [] }), ["webhook.event.received", null]);
  assert.deepEqual(typed(both, { type: "x".repeat(513), action: "" }), ["webhook.event.received", null]);
});

Deno.test("eventTypes names a type otherwise, by the sender's exact text", () => {
  const config = { eventType: "/type", eventTypes: { "checkout.session.completed": "order.paid" } };
  const typeOf = (type: string) => normalized(config, { type }).type;
  assert.equal(typeOf("checkout.session.completed"), "webhook.order.paid");
  assert.equal(typeOf("Checkout.session.completed"), "webhook.checkout_session.completed");
  assert.equal(typeOf("constructor"), "webhook.constructor.received");
});

Deno.test("actor and subject are read from their places, and the subject's kind is the type's entity otherwise", () => {
  const config = {
    eventType: "/type",
    actorId: "/by/id",
    actorName: "/by/name",
    actorType: "bot",
    subjectId: "/of/id",
  };
  const body = { type: "order.paid", by: { id: 1, name: "Ada" }, of: { id: "o-1", name: "Four wheels" } };
  const { actor, subject } = normalized(config, body);
  assert.deepEqual(actor, { type: "bot", id: "1", name: "Ada" });
  assert.deepEqual(subject, { type: "order", id: "o-1" });
  const named = normalized({ ...config, subjectName: "/of/name", subjectType: "/type" }, body).subject;
  assert.deepEqual(named, { type: "order.paid", id: "o-1", name: "Four wheels" });
});

Deno.test("an address is told only if it is one of the web, for people click on it", () => {
  const urlOf = (url: unknown) => normalized({ subjectId: "/id", subjectUrl: "/url" }, { id: 1, url }).subject.url;
  assert.equal(urlOf("https://example.com/orders/1"), "https://example.com/orders/1");
  for (const url of ["javascript:alert(1)", "data:text/html,x", "/orders/1", "https://", 1, null]) {
    assert.equal(urlOf(url), undefined, String(url));
  }
});

Deno.test("only headers that a place names are seen, so that a replay is given the same", () => {
  const receiver = opened({ preset: "shopify" });
  const kept = [
    ...receiver.keptHeaders(
      new Headers({
        "x-shopify-topic": "a/b",
        "X-Shopify-Hmac-Sha256": "proof",
        "content-type": "application/json",
        "authorization": "Basic x",
      }),
    ).keys(),
  ];
  assert.deepEqual(kept, ["content-type", "x-shopify-topic"]);
});

Deno.test("a form is refused in words, whatever it holds", () => {
  const receiver = opened({ signatureHeader: "x-signature" });
  for (const type of ["application/x-www-form-urlencoded", "Multipart/Form-Data; boundary=x"]) {
    const unsigned = request({ "content-type": type }, '{"a":1}');
    const signed = { ...unsigned, headers: receiver.sign(unsigned) };
    assert.throws(() => receiver.receive(signed), { name: "MalformedBodyError", message: /came as a form.*JSON$/ });
  }
});

Deno.test("JSON that is nested too deeply to be written out again is refused, and just less is taken", () => {
  const receiver = opened({ signatureHeader: "x-signature" });
  const receive = (body: string) => {
    const unsigned = request({}, body);
    return receiver.receive({ ...unsigned, headers: receiver.sign(unsigned) }).drafts.length;
  };
  const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
  assert.equal(receive(nested(200)), 1);
  for (const body of [nested(201), nested(500_000), `${'{"a":'.repeat(300)}1${"}".repeat(300)}`]) {
    assert.throws(() => receive(body), { name: "ShapeError", message: /nested/ });
  }
});

const keys = ["id", "type", "0", "__proto__", "constructor", "length", "a~1b"];
const place = fc.array(fc.constantFrom(...keys), { minLength: 1, maxLength: 3 }).map((path) => `/${path.join("/")}`);
const places = fc.oneof(place, fc.tuple(place, place).map((two) => two.join(" ")), fc.constant("header:x-any"));
const config = fc.record(Object.fromEntries(EVENT_PLACES.map((setting) => [setting, places])), { requiredKeys: [] });
const body = fc.oneof(
  fc.jsonValue(),
  fc.dictionary(
    fc.constantFrom(...keys, "a/b"),
    fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom(...keys), fc.jsonValue())),
  ),
);

Deno.test("any places in any JSON make a proper event, of bounded texts", () => {
  const value = fc.string({ unit: fc.integer({ min: 32, max: 255 }).map((code) => String.fromCharCode(code)) });
  fc.assert(
    fc.property(config, body, value, (config, body, value) => {
      const settings = { signatureHeader: "x-signature", ...config };
      const { type, occurredAt, actor, subject, payload } = normalized(settings, body, { "x-any": value });
      assert.match(type, EVENT_TYPE_PATTERN);
      assert.ok(isWebhookEventType(type) && type.length < 150);
      assert.ok(!Number.isNaN(occurredAt.getTime()));
      assert.deepEqual(actorSchema.parse(actor), actor);
      assert.deepEqual(subjectSchema.parse(subject), subject);
      for (const text of [...Object.values(actor), ...Object.values(subject)]) assert.ok((text ?? "").length <= 512);
      assert.deepEqual(webhookPayloadSchema.parse(payload), payload);
      assert.equal(JSON.stringify(payload.data), JSON.stringify(JSON.parse(JSON.stringify(body))));
    }),
    { numRuns: 2000 },
  );
});

Deno.test("the manifest's trigger is the pattern that all types match", () => {
  assert.deepEqual(webhook.manifest.triggers, ["webhook.*.*"]);
  assert.deepEqual(webhook.manifest.verification, ["signature"]);
});
