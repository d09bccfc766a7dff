/**
 * What the generic webhook connector of Inlet emits: how a sender's types become event types, and the payload schema.
 *
 * ```ts
 * import { normalizedEventSchema } from "@inlet/events-core";
 * import { webhookEventType, webhookPayloadSchema } from "@inlet/webhook-events";
 *
 * declare const message: string;
 * const event = normalizedEventSchema.parse(JSON.parse(message));
 * if (event.type === webhookEventType("invoice.paid")) {
 *   const { data } = webhookPayloadSchema.parse(event.payload);
 *   console.log(data);
 * }
 * ```
 *
 * @module
 */
export * from "./descriptions.ts";
export * from "./payloads.ts";
export * from "./types.ts";
