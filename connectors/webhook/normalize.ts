import type { Actor, Subject } from "@inlet/events-core";
import { webhookEventType, type WebhookPayload } from "@inlet/webhook-events";
import { type Delivery, type EventDraft, hashOf } from "../kit/mod.ts";
import { momentOf } from "./moment.ts";
import { type Readable, textAt } from "./places.ts";
import { type Rule, ruleOf } from "./rule.ts";
import type { WebhookConfig } from "./settings.ts";

/** Makes one event of any JSON: what the settings do not find is left out, so that nothing is refused for it. */
export function normalize(body: unknown, delivery: Delivery, config: WebhookConfig): readonly EventDraft[] {
  const rule = ruleOf(config);
  const from = { headers: delivery.headers, body };
  const sent = typeOf(rule, from);
  const own = sent === null ? undefined : rule.eventTypes.get(sent);
  const type = own === undefined ? webhookEventType(sent) : `webhook.${own}`;
  const payload: WebhookPayload = { type: sent, data: body };
  return [{
    type,
    occurredAt: momentOf(textAt(rule.at.occurredAt, from), delivery.receivedAt),
    actor: actorOf(rule, from),
    subject: subjectOf(rule, from, type) ?? { type: "event", id: deliveryIdOf(rule, from) ?? hashOf(delivery.body) },
    payload,
  }];
}

/** The sender's id of a delivery; `null` where it gives none. */
export function deliveryIdOf({ at }: Rule, from: Readable): string | null {
  return textAt(at.deliveryId, from);
}

/** The sender's own type; with an action that stands elsewhere, both joined by a dot. */
function typeOf({ at }: Rule, from: Readable): string | null {
  const texts = [textAt(at.eventType, from), textAt(at.eventAction, from)].filter((text) => text !== null);
  return texts.length > 0 ? texts.join(".") : null;
}

function actorOf({ settings, at }: Rule, from: Readable): Actor {
  const id = textAt(at.actorId, from);
  if (id === null) return { type: "system", id: settings.sender };
  const name = textAt(at.actorName, from);
  return { type: settings.actorType, id, ...(name !== null && { name }) };
}

function subjectOf({ at }: Rule, from: Readable, type: string): Subject | undefined {
  const id = textAt(at.subjectId, from);
  if (id === null) return undefined;
  const [, entity = "event"] = type.split(".");
  const name = textAt(at.subjectName, from);
  const url = textAt(at.subjectUrl, from);
  return {
    type: textAt(at.subjectType, from) ?? entity,
    id,
    ...(name !== null && { name }),
    ...(url !== null && isWebAddress(url) && { url }),
  };
}

/** People will click on it. */
function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}
