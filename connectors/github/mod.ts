/**
 * The GitHub connector: webhooks of repositories, organizations and GitHub Apps, normalized into the types and payloads
 * of `@inlet/github-events`.
 *
 * @module
 */
import { githubEventDescriptions, githubPayloadSchemas } from "@inlet/github-events";
import { z } from "zod";
import {
  defineWebhook,
  hmac,
  hmacHeader,
  type HmacRule,
  isForm,
  parseJson,
  parseJsonField,
  type WebhookConnector,
} from "../kit/mod.ts";
import { normalize } from "./normalize.ts";

/**
 * Receives GitHub's webhooks. Deliveries are signed in `X-Hub-Signature-256`
 * (https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries) and named in `X-GitHub-Delivery`, which
 * stays the same when one is redelivered.
 */
export const github: WebhookConnector = defineWebhook({
  id: "github",
  name: "GitHub",
  description:
    "What happens in GitHub repositories and organizations: pushes, pull requests, issues, releases and more.",
  documentationUrl: "https://docs.github.com/webhooks/webhook-events-and-payloads",
  payloads: githubPayloadSchemas,
  descriptions: githubEventDescriptions,
  patienceMs: 10_000,
  headers: ["x-github-event", "x-github-delivery"],
  config: { ignoreBots: z.boolean().default(false).describe("Drop events whose sender is a bot") },
  secrets: { webhookSecret: z.string().min(16).describe("The secret of the webhook in GitHub's settings") },
  verify: (delivery, { webhookSecret }) => hmac(delivery, signature(webhookSecret)),
  sign: ({ body }, { webhookSecret }) => hmacHeader(body, signature(webhookSecret)),
  deliveryId: (_, { headers }) => headers.get("x-github-delivery"),
  // A webhook's settings at GitHub offer both content types; the signature is over the raw bytes in either.
  parse: ({ headers, body }) => isForm(headers) ? parseJsonField(body, "payload") : parseJson(body),
  normalize(body, delivery, { ignoreBots }) {
    const drafts = normalize(body, delivery);
    return ignoreBots ? drafts.filter(({ actor }) => actor.type !== "bot") : drafts;
  },
});

function signature(key: string): HmacRule {
  return { header: "x-hub-signature-256", prefix: "sha256=", key };
}
