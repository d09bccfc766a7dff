/**
 * The Gitea connector: webhooks of Gitea and of Forgejo, normalized into the types and payloads of
 * `@inlet/gitea-events`.
 *
 * @module
 */
import { giteaEventDescriptions, giteaPayloadSchemas } from "@inlet/gitea-events";
import { z } from "zod";
import {
  defineWebhook,
  formField,
  hmac,
  hmacHeader,
  type HmacRule,
  isForm,
  parseJson,
  parseJsonField,
  type WebhookConnector,
} from "../kit/mod.ts";
import { normalize } from "./normalize.ts";

/** Forgejo sends both, and may one day send its own alone. */
const SIGNATURES = ["x-gitea-signature", "x-forgejo-signature"] as const;

/**
 * Receives the webhooks of Gitea (https://docs.gitea.com/usage/webhooks) and Forgejo
 * (https://forgejo.org/docs/latest/user/webhooks/). `X-Gitea-Signature` is the HMAC-SHA256 in hex of the JSON: where that
 * is sent as a form, of what its field `payload` holds and not of the form (services/webhook/deliver.go in Gitea's source).
 */
export const gitea: WebhookConnector = defineWebhook({
  id: "gitea",
  name: "Gitea and Forgejo",
  description:
    "What happens in the repositories of a Gitea or Forgejo: pushes, pull requests, issues, releases and more.",
  documentationUrl: "https://docs.gitea.com/usage/webhooks",
  payloads: giteaPayloadSchemas,
  descriptions: giteaEventDescriptions,
  patienceMs: 5000,
  headers: [
    "x-gitea-event",
    "x-gitea-event-type",
    "x-gitea-delivery",
    "x-forgejo-event",
    "x-forgejo-event-type",
    "x-forgejo-delivery",
  ],
  config: {},
  secrets: { webhookSecret: z.string().min(16).describe("The secret of the webhook in Gitea's or Forgejo's settings") },
  verify: (delivery, { webhookSecret }) => hmac(delivery, signature(delivery.headers, webhookSecret)),
  sign: ({ headers, body }, { webhookSecret }) => hmacHeader(body, signature(headers, webhookSecret)),
  deliveryId: (_, { headers }) => headers.get("x-gitea-delivery") || headers.get("x-forgejo-delivery"),
  parse: ({ headers, body }) => isForm(headers) ? parseJsonField(body, "payload") : parseJson(body),
  normalize,
});

function signature(headers: Headers, key: string): HmacRule {
  const header = SIGNATURES.find((name) => headers.get(name)) ?? SIGNATURES[0];
  return { header, key, signs: isForm(headers) ? (body) => [payloadOf(body)] : undefined };
}

/** What is signed of a form. One without the field is refused, for nobody signs nothing. */
function payloadOf(form: Uint8Array): string {
  return formField(new TextDecoder().decode(form), "payload") ?? "";
}
