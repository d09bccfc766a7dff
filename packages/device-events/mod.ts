/**
 * What the device connector of Inlet emits: a constant for every event type, and a payload schema for each.
 *
 * ```ts
 * import { normalizedEventSchema } from "@inlet/events-core";
 * import { DeviceEventType, devicePayloadSchemas } from "@inlet/device-events";
 *
 * declare const message: string;
 * const event = normalizedEventSchema.parse(JSON.parse(message));
 * if (event.type === DeviceEventType.BATTERY_LOW) {
 *   const { levelRatio } = devicePayloadSchemas[event.type].parse(event.payload);
 *   console.log(`${event.actor.id}: ${Math.round(levelRatio * 100)} %`);
 * }
 * ```
 *
 * @module
 */
export * from "./descriptions.ts";
export * from "./payloads.ts";
export * from "./types.ts";
