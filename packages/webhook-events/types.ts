/**
 * What every type of the generic webhook connector matches, as a binding of a topic exchange: which types there are is
 * the sender's choice.
 */
export const WEBHOOK_EVENTS = "webhook.*.*";

/** The types that do not depend on the sender. */
export const WebhookEventType = {
  /** A delivery that names no type, or one that no word of a routing key can be made of. */
  EVENT_RECEIVED: "webhook.event.received",
} as const;

/** A type that the generic webhook connector emits. */
export type WebhookEventType = `webhook.${string}.${string}`;

/** A type has to fit a routing key, which RabbitMQ lets have 255 bytes. */
const LONGEST_WORD = 64;
const TYPE = /^webhook(?:\.[a-z0-9][a-z0-9_-]*){2}$/;

/** Whether a type is one of the generic webhook connector. */
export function isWebhookEventType(type: string): type is WebhookEventType {
  return TYPE.test(type);
}

/**
 * The event type that a sender's own type becomes, unless the connector's config maps it:
 *
 * 1. It is split at `.`, `/` and `:`. The last part is the action, those before it are the entity:
 *    `customer.subscription.created` becomes `webhook.customer_subscription.created`.
 * 2. One without any of these is split at its last `_`, or where camelCase begins its last word: `OrderCreated` and
 *    `order_created` become `webhook.order.created`. A single word is an entity that was received: `ping` becomes
 *    `webhook.ping.received`.
 * 3. camelCase is written with `_`, capitals small, and anything but letters a to z, digits, `_` and `-` is a `_`.
 *    Entity and action are cut at 64 characters.
 *
 * What nothing remains of, and `null`, is `webhook.event.received`.
 */
export function webhookEventType(text: string | null): WebhookEventType {
  const parts = (text ?? "").split(/[./:]+/).map(wordOf).filter((part) => part !== "");
  const [single = "", ...others] = parts;
  if (single === "") return WebhookEventType.EVENT_RECEIVED;
  const cut = others.length > 0 ? -1 : single.lastIndexOf("_");
  const [entity, action] = others.length > 0
    ? [parts.slice(0, -1).join("_"), parts.at(-1) ?? ""]
    : cut < 0
    ? [single, "received"]
    : [single.slice(0, cut), single.slice(cut + 1)];
  return `webhook.${bounded(entity)}.${bounded(action)}`;
}

function wordOf(part: string): string {
  return trimmed(
    part.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
      .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1_$2")
      .toLowerCase()
      .replaceAll(/[^a-z0-9-]+/g, "_"),
  );
}

function bounded(word: string): string {
  return trimmed(word.slice(0, LONGEST_WORD));
}

/** A segment of a type begins with a letter or a digit; none ends in a sign either. */
function trimmed(word: string): string {
  return word.replace(/^[_-]+/, "").replace(/(?<![_-])[_-]+$/, "");
}
