import { z } from "zod";
import {
  defineWebhook,
  type Delivery,
  type EventDraft,
  hmac,
  hmacHeader,
  type HmacRule,
  type WebhookConnector,
} from "../../connectors/kit/mod.ts";
import { sign } from "./sign.ts";

/** The secret that {@link sampleDelivery} signs with. */
export const SAMPLE_SECRET = "a secret of the sample source";

const bodySchema = z.object({ events: z.array(z.object({ entity: z.string(), text: z.string().nullable() })) });
const textSchema = z.object({ text: z.string().nullable() });

/** A source that exists only in tests: it sends a list, and each entry becomes an event. */
export const sample: WebhookConnector = defineWebhook({
  id: "sample",
  name: "Sample",
  description: "A source for tests",
  documentationUrl: "https://example.com/docs",
  payloads: { "sample.thing.made": textSchema, "sample.note.made": textSchema },
  descriptions: { "sample.thing.made": "A thing was made.", "sample.note.made": "A note was made." },
  headers: ["x-sample-delivery"],
  config: { shout: z.boolean().default(false), label: z.string().optional() },
  secrets: { signingSecret: z.string().min(16), spare: z.string().min(4).optional() },
  verify: (delivery, { signingSecret }) => hmac(delivery, signature(signingSecret)),
  sign: ({ body }, { signingSecret }) => hmacHeader(body, signature(signingSecret)),
  deliveryId: (_, { headers }) => headers.get("x-sample-delivery"),
  normalize(body, { receivedAt }, { shout }): EventDraft[] {
    return bodySchema.parse(body).events.map(({ entity, text }, index) => ({
      type: `sample.${entity}.made`,
      occurredAt: receivedAt,
      actor: { type: "user", id: "1" },
      subject: { type: entity, id: String(index) },
      payload: { text: shout ? text?.toUpperCase() ?? null : text },
    }));
  },
});

function signature(key: string): HmacRule {
  return { header: "x-sample-signature", prefix: "sha256=", key };
}

/** The parts of a signed request of the sample source, with one `thing` event per text. */
export function sampleDelivery(
  texts: readonly string[],
  deliveryId: string = crypto.randomUUID(),
): { headers: Record<string, string>; body: string } {
  return signedSample(JSON.stringify({ events: texts.map((text) => ({ entity: "thing", text })) }), deliveryId);
}

/** Signs any body as the sample source would. */
export function signedSample(
  body: string,
  deliveryId: string = crypto.randomUUID(),
): { headers: Record<string, string>; body: string } {
  return {
    headers: { "x-sample-signature": `sha256=${sign(SAMPLE_SECRET, body)}`, "x-sample-delivery": deliveryId },
    body,
  };
}

/** An unsigned delivery of the sample source with one `thing` event. */
export function unsignedSample(text: string, deliveryId: string): Delivery {
  const body = new TextEncoder().encode(JSON.stringify({ events: [{ entity: "thing", text }] }));
  return { headers: new Headers({ "x-sample-delivery": deliveryId }), body, receivedAt: new Date() };
}
