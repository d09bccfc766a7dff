/**
 * What the e-mail connector of Inlet emits: a constant for every event type, and a payload schema for each.
 *
 * ```ts
 * import { normalizedEventSchema } from "@inlet/events-core";
 * import { EmailEventType, emailPayloadSchemas } from "@inlet/email-events";
 *
 * declare const message: string;
 * const event = normalizedEventSchema.parse(JSON.parse(message));
 * if (event.type === EmailEventType.MESSAGE_RECEIVED) {
 *   const { from, subject } = emailPayloadSchemas[event.type].parse(event.payload);
 *   console.log(`${from[0]?.address}: ${subject}`);
 * }
 * ```
 *
 * @module
 */
export * from "./descriptions.ts";
export * from "./message.ts";
export * from "./types.ts";
