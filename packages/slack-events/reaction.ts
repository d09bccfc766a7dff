import { z } from "zod";
import { slackOrigin } from "./common.ts";

/** What was reacted to or pinned: a message by channel and ts, or a file by its id. */
export const slackItemSchema = z.object({
  type: z.string().describe("message or file, or what else Slack says"),
  channelId: z.string().nullable().describe("The message's channel"),
  ts: z.string().nullable().describe("The message's id within its channel"),
  fileId: z.string().nullable().describe("The file's id"),
  permalink: z.string().nullable().describe("The item's page in Slack; told of pins only"),
}).describe("What was reacted to or pinned");

/** What was reacted to or pinned. */
export type SlackItem = z.output<typeof slackItemSchema>;

/** Payload of `slack.reaction.*`. */
export const slackReactionPayloadSchema = z.object({
  reaction: z.string().describe("The emoji's name, without colons"),
  item: slackItemSchema,
  userId: z.string().describe("Who reacted, or took the reaction back"),
  itemUserId: z.string().nullable().describe("Whose item it is; null where a bot or nobody owns it"),
  ...slackOrigin,
});

/** Payload of `slack.reaction.*`. */
export type SlackReactionPayload = z.output<typeof slackReactionPayloadSchema>;

/** Payload of `slack.pin.*`. */
export const slackPinPayloadSchema = z.object({
  item: slackItemSchema,
  channelId: z.string().describe("Where it is pinned"),
  userId: z.string().describe("Who pinned it, or took the pin away"),
  itemUserId: z.string().nullable().describe("Whose item it is"),
  ...slackOrigin,
});

/** Payload of `slack.pin.*`. */
export type SlackPinPayload = z.output<typeof slackPinPayloadSchema>;
