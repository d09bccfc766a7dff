/**
 * What the Slack connector of Inlet emits: a constant for every event type, and a payload schema for each.
 *
 * ```ts
 * import { normalizedEventSchema } from "@inlet/events-core";
 * import { SlackEventType, slackPayloadSchemas } from "@inlet/slack-events";
 *
 * declare const message: string;
 * const event = normalizedEventSchema.parse(JSON.parse(message));
 * if (event.type === SlackEventType.MESSAGE_POSTED) {
 *   const { message, channelId } = slackPayloadSchemas[event.type].parse(event.payload);
 *   console.log(`${channelId}: ${message.text}`);
 * }
 * ```
 *
 * @module
 */
export * from "./common.ts";
export * from "./descriptions.ts";
export * from "./generic.ts";
export * from "./interaction.ts";
export * from "./message.ts";
export * from "./payloads.ts";
export * from "./place.ts";
export * from "./reaction.ts";
export * from "./types.ts";
export * from "./user.ts";
