import type { Preset, PRESET_NAMES } from "./settings.ts";

const custom: Preset = {
  sender: "webhook",
  signatureHeader: "",
  signatureList: "single",
  signaturePrefix: "",
  algorithm: "sha256",
  encoding: "hex",
  signedContent: "{body}",
  secretEncoding: "utf8",
  timestamp: "",
  timestampFormat: "seconds",
  toleranceSeconds: 300,
  eventType: "",
  eventAction: "",
  deliveryId: "",
  occurredAt: "",
  actorType: "user",
  actorId: "",
  actorName: "",
  subjectType: "",
  subjectId: "",
  subjectName: "",
  subjectUrl: "",
};

/** How known senders sign, and where they say what. */
export const presets: Readonly<Record<typeof PRESET_NAMES[number], Preset>> = {
  custom,

  // https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
  "standard-webhooks": {
    ...custom,
    signatureHeader: "webhook-signature",
    signatureList: "space",
    signaturePrefix: "v1,",
    encoding: "base64",
    signedContent: "{id}.{timestamp}.{body}",
    secretEncoding: "whsec",
    timestamp: "header:webhook-timestamp",
    eventType: "/type",
    deliveryId: "header:webhook-id",
    occurredAt: "/timestamp",
    subjectId: "/data/id",
    subjectName: "/data/name",
  },

  // https://docs.stripe.com/webhooks#verify-manually and https://docs.stripe.com/api/events/object. The secret's
  // "whsec_" is part of the key. Several signatures: the secret is being rolled.
  stripe: {
    ...custom,
    sender: "stripe",
    signatureHeader: "stripe-signature",
    signatureList: "comma",
    signaturePrefix: "v1=",
    signedContent: "{timestamp}.{body}",
    timestamp: "header:stripe-signature#t",
    eventType: "/type",
    deliveryId: "/id",
    occurredAt: "/created",
    actorType: "organization",
    actorId: "/account",
    subjectType: "/data/object/object /related_object/type",
    subjectId: "/data/object/id /related_object/id",
    subjectName: "/data/object/name",
  },

  // https://shopify.dev/docs/apps/build/webhooks/subscribe/https: only the body is signed, and no time. The webhook's
  // id is what Shopify's own library hands on for telling repeats; one event can have several topics.
  shopify: {
    ...custom,
    sender: "shopify",
    signatureHeader: "x-shopify-hmac-sha256",
    encoding: "base64",
    eventType: "header:x-shopify-topic",
    deliveryId: "header:x-shopify-webhook-id",
    occurredAt: "header:x-shopify-triggered-at",
    actorType: "organization",
    actorId: "header:x-shopify-shop-domain",
    actorName: "header:x-shopify-shop-domain",
    subjectId: "/id /admin_graphql_api_id",
    subjectName: "/name /title",
  },

  // https://linear.app/developers/webhooks: the time stands in the body, in milliseconds, and may be a minute off.
  linear: {
    ...custom,
    sender: "linear",
    signatureHeader: "linear-signature",
    timestamp: "/webhookTimestamp",
    timestampFormat: "milliseconds",
    toleranceSeconds: 60,
    eventType: "/type",
    eventAction: "/action",
    deliveryId: "header:linear-delivery",
    occurredAt: "/createdAt",
    actorId: "/actor/id",
    actorName: "/actor/name",
    subjectId: "/data/id /issueData/id /notification/id /agentSession/id",
    subjectName: "/data/title /data/name /issueData/title",
    subjectUrl: "/url",
  },
};
