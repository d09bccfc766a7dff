import type { EventOf } from "@inlet/events-core";
import { z } from "zod";
import { WEBHOOK_EVENTS } from "./types.ts";

/** Payload of every type of the generic webhook connector. */
export const webhookPayloadSchema = z.object({
  type: z.string().nullable().meta({
    description: "The sender's own name of what happened, such as invoice.paid; null where it gives none",
    example: "invoice.paid",
  }),
  data: z.unknown().meta({ description: "The JSON that the sender sent, whole" }),
}).meta({ description: "What a sender of signed webhooks sent" });

/** Payload of every type of the generic webhook connector. */
export type WebhookPayload = z.output<typeof webhookPayloadSchema>;

type Schemas = Readonly<Record<typeof WEBHOOK_EVENTS, typeof webhookPayloadSchema>>;

/** The one payload schema, by the pattern that all types match. */
export const webhookPayloadSchemas: Schemas = { [WEBHOOK_EVENTS]: webhookPayloadSchema };

/** Any event of the generic webhook connector, its payload told by its `type`. */
export type WebhookEvent = EventOf<typeof webhookPayloadSchemas>;
