/**
 * The Slack connector: events, interactions and slash commands of one Slack app, normalized into the types and payloads of
 * `@inlet/slack-events`.
 *
 * @module
 */
import { slackEventDescriptions, slackPayloadSchemas } from "@inlet/slack-events";
import { z } from "zod";
import {
  defineWebhook,
  type Delivery,
  freshness,
  hmac,
  hmacHeader,
  type HmacRule,
  isForm,
  parseJson,
  type WebhookConnector,
} from "../kit/mod.ts";
import { parseForm } from "./form.ts";
import { deliveryId } from "./identity.ts";
import { normalize } from "./normalize.ts";
import { acknowledge, certificateCheck, handshake } from "./reply.ts";

const TIMESTAMP = "x-slack-request-timestamp";

/**
 * Receives what Slack sends to an app's request URLs. Each request is signed in `X-Slack-Signature` over the time in
 * `X-Slack-Request-Timestamp` and the raw body, and good for five minutes
 * (https://docs.slack.dev/authentication/verifying-requests-from-slack).
 */
export const slack: WebhookConnector = defineWebhook({
  id: "slack",
  name: "Slack",
  description:
    "What happens in a Slack workspace: messages, mentions, reactions, files, channels, commands and buttons.",
  documentationUrl: "https://docs.slack.dev/apis/events-api/",
  payloads: slackPayloadSchemas,
  descriptions: slackEventDescriptions,
  patienceMs: 3000,
  // A retry becomes the same events as the first try. Why there was one is for the account of deliveries to show.
  headers: ["x-slack-retry-num", "x-slack-retry-reason"],
  config: {
    ignoreBots: z.boolean().default(false).describe("Drop events that a bot caused, your own app's among them"),
  },
  secrets: {
    signingSecret: z.string().min(16)
      .meta({ description: "Signing Secret, from the app's Basic Information at Slack", givenBySource: true }),
  },
  verify(delivery, { signingSecret }) {
    const fresh = freshness(delivery, TIMESTAMP);
    return fresh.authentic ? hmac(delivery, signature(delivery.headers.get(TIMESTAMP) ?? "", signingSecret)) : fresh;
  },
  sign({ body, receivedAt }: Delivery, { signingSecret }) {
    const timestamp = String(Math.floor(receivedAt.getTime() / 1000));
    return { [TIMESTAMP]: timestamp, ...hmacHeader(body, signature(timestamp, signingSecret)) };
  },
  unsigned: certificateCheck,
  // Interactions and slash commands come as forms, events as JSON.
  parse: ({ headers, body }) => isForm(headers) ? parseForm(body) : parseJson(body),
  deliveryId,
  handshake,
  acknowledge: (_, { headers }) => acknowledge(headers),
  normalize(body, { receivedAt }, { ignoreBots }) {
    const drafts = normalize(body, receivedAt);
    return ignoreBots ? drafts.filter(({ actor }) => actor.type !== "bot") : drafts;
  },
});

function signature(timestamp: string, key: string): HmacRule {
  return { header: "x-slack-signature", prefix: "v0=", key, signs: (body) => [`v0:${timestamp}:`, body] };
}
