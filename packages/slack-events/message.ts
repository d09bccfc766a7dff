import { z } from "zod";
import { slackAttachmentSchema, slackFileSchema, slackOrigin } from "./common.ts";

/** Which conversation, in all payloads that concern messages. */
const place = {
  channelId: z.string().describe("The conversation: channel (C…), direct message (D…) or group (G…)"),
  channelType: z.string().nullable().describe("channel, group (private), im, mpim or app_home; null if not told"),
} as const;

/** A message. Its `ts` together with the channel is its id for ever. */
export const slackMessageSchema = z.object({
  ts: z.string().describe("Slack's id of the message within its channel: seconds since 1970 with six decimals"),
  threadTs: z.string().nullable().describe("The thread's first message; null outside of threads"),
  subtype: z.string().nullable().describe("Slack's subtype, such as bot_message, file_share or thread_broadcast"),
  text: z.string().nullable().describe("Text, in Slack's mrkdwn"),
  userId: z.string().nullable().describe("Who wrote it (U… or W…)"),
  botId: z.string().nullable().describe("The bot that wrote it (B…)"),
  botName: z.string().nullable().describe("The name that the bot wrote it under"),
  files: z.array(slackFileSchema).describe("Files shared with it"),
  attachments: z.array(slackAttachmentSchema).describe("What an app attached; unfurled links are among them"),
  edited: z.object({
    userId: z.string().nullable().describe("Who edited it last"),
    ts: z.string().nullable().describe("When, written as in the message's ts"),
  }).nullable().describe("The last edit of its text; null if nobody edited it"),
}).describe("A message");

/** A message. */
export type SlackMessage = z.output<typeof slackMessageSchema>;

/** Payload of `slack.message.posted` and `slack.mention.received`. */
export const slackMessagePayloadSchema = z.object({
  message: slackMessageSchema,
  ...place,
  ...slackOrigin,
});

/** Payload of `slack.message.posted` and `slack.mention.received`. */
export type SlackMessagePayload = z.output<typeof slackMessagePayloadSchema>;

/** Payload of `slack.message.edited`. */
export const slackMessageEditedPayloadSchema = z.object({
  message: slackMessageSchema.describe("The message as it is now"),
  previous: slackMessageSchema.nullable().describe("The message as it was; null if Slack does not tell"),
  ...place,
  ...slackOrigin,
});

/** Payload of `slack.message.edited`. */
export type SlackMessageEditedPayload = z.output<typeof slackMessageEditedPayloadSchema>;

/** Payload of `slack.message.deleted`. */
export const slackMessageDeletedPayloadSchema = z.object({
  ts: z.string().describe("The deleted message's id within its channel"),
  previous: slackMessageSchema.nullable().describe("The message as it was; null if Slack does not tell"),
  ...place,
  ...slackOrigin,
});

/** Payload of `slack.message.deleted`. */
export type SlackMessageDeletedPayload = z.output<typeof slackMessageDeletedPayloadSchema>;

/** Payload of `slack.notice.posted`: a line that Slack itself writes into a conversation. */
export const slackNoticePayloadSchema = z.object({
  subtype: z.string().describe("What the line says, such as channel_join, channel_topic or channel_name"),
  ts: z.string().describe("The line's id within its channel"),
  text: z.string().nullable().describe("The line, in Slack's mrkdwn"),
  userId: z.string().nullable().describe("Who did what the line says"),
  inviterId: z.string().nullable().describe("Who invited them: with channel_join"),
  topic: z.string().nullable().describe("The new topic: with channel_topic"),
  purpose: z.string().nullable().describe("The new purpose: with channel_purpose"),
  name: z.string().nullable().describe("The new name: with channel_name"),
  oldName: z.string().nullable().describe("The name before: with channel_name"),
  ...place,
  ...slackOrigin,
});

/** Payload of `slack.notice.posted`. */
export type SlackNoticePayload = z.output<typeof slackNoticePayloadSchema>;
