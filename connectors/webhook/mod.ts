/**
 * The generic webhook connector: any sender that signs its JSON with an HMAC, by settings alone, normalized into the types
 * and payload of `@inlet/webhook-events`.
 *
 * @module
 */
import { webhookEventDescriptions, webhookPayloadSchemas } from "@inlet/webhook-events";
import { defineWebhook, type WebhookConnector } from "../kit/mod.ts";
import { check } from "./check.ts";
import { deliveryIdOf, normalize } from "./normalize.ts";
import { parse } from "./parse.ts";
import { headersOf, ruleOf } from "./rule.ts";
import { webhookConfig, webhookSecrets } from "./settings.ts";
import { sign, verify } from "./signature.ts";

/** Receives the signed webhooks of a sender that has no connector of its own. What settings it has, presets know. */
export const webhook: WebhookConnector = defineWebhook({
  id: "webhook",
  name: "Webhook",
  description: "Any service that signs its webhooks with an HMAC. Stripe, Shopify, Linear and Standard Webhooks are " +
    "a choice of preset, others a matter of settings.",
  documentationUrl: "https://www.standardwebhooks.com",
  payloads: webhookPayloadSchemas,
  descriptions: webhookEventDescriptions,
  // https://shopify.dev/docs/apps/build/webhooks/subscribe/https and https://linear.app/developers/webhooks; others wait
  // longer.
  patienceMs: 5000,
  config: webhookConfig,
  secrets: webhookSecrets,
  headers: (config) => headersOf(ruleOf(config)),
  check,
  verify,
  sign,
  parse,
  deliveryId: (body, { headers }, config) => deliveryIdOf(ruleOf(config), { headers, body }),
  normalize,
});
