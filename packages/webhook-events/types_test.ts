import { EVENT_TYPE_PATTERN, topicMatches } from "@inlet/events-core";
import fc from "fast-check";
import assert from "node:assert/strict";
import { isWebhookEventType, WEBHOOK_EVENTS, WebhookEventType, webhookEventType } from "./mod.ts";

const cases: readonly [string | null, string][] = [
  ["invoice.paid", "webhook.invoice.paid"],
  ["invoice.payment_failed", "webhook.invoice.payment_failed"],
  ["customer.subscription.created", "webhook.customer_subscription.created"],
  ["v2.core.event_destination.ping", "webhook.v2_core_event_destination.ping"],
  ["orders/create", "webhook.orders.create"],
  ["customers/data_request", "webhook.customers.data_request"],
  ["Issue.create", "webhook.issue.create"],
  ["AppUserNotification.issueAssignedToYou", "webhook.app_user_notification.issue_assigned_to_you"],
  ["IssueSLA.highRisk", "webhook.issue_sla.high_risk"],
  ["repo:push", "webhook.repo.push"],
  ["OrderCreated", "webhook.order.created"],
  ["orderCreated", "webhook.order.created"],
  ["order_created", "webhook.order.created"],
  ["ORDER_CREATED", "webhook.order.created"],
  ["HTTPRequestFailed", "webhook.http_request.failed"],
  ["Order Created", "webhook.order.created"],
  ["user-signed-up", "webhook.user-signed-up.received"],
  ["ping", "webhook.ping.received"],
  ["..a..", "webhook.a.received"],
  ["/orders//create/", "webhook.orders.create"],
  ["größe.geändert", "webhook.gr_e.ge_ndert"],
  ["_x.-y-", "webhook.x.y"],
  ["__proto__", "webhook.proto.received"],
  ["constructor.name", "webhook.constructor.name"],
  ["#.*", "webhook.event.received"],
  ["イベント", "webhook.event.received"],
  ["", "webhook.event.received"],
  [null, "webhook.event.received"],
];

for (const [text, type] of cases) {
  Deno.test(`webhookEventType makes ${type} of ${JSON.stringify(text)}`, () => {
    assert.equal(webhookEventType(text), type);
  });
}

Deno.test("webhookEventType cuts absurd lengths, so that the type fits a routing key", () => {
  const type = webhookEventType(`${"_a".repeat(100_000)}.${"b-".repeat(100_000)}`);
  assert.match(type, EVENT_TYPE_PATTERN);
  assert.ok(type.length < 150, type);
  assert.equal(webhookEventType("x".repeat(70)), `webhook.${"x".repeat(64)}.received`);
});

Deno.test("webhookEventType makes an event type that its pattern matches of any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const type = webhookEventType(text);
      assert.match(type, EVENT_TYPE_PATTERN);
      assert.ok(topicMatches(WEBHOOK_EVENTS, type) && isWebhookEventType(type), type);
      assert.equal(webhookEventType(type.replace("webhook.", "")), type, "a type stays as it is");
    }),
    { numRuns: 2000 },
  );
});

Deno.test("isWebhookEventType knows the connector's types and nothing else", () => {
  assert.ok(isWebhookEventType(WebhookEventType.EVENT_RECEIVED));
  for (const type of ["webhook.invoice", "webhook.a.b.c", "github.pr.opened", "webhook.*.*", "webhook.A.b", ""]) {
    assert.equal(isWebhookEventType(type), false, type);
  }
});
