import { z } from "zod";
import { slackOrigin } from "./common.ts";

/** A conversation, as far as Slack tells. */
export const slackChannelSchema = z.object({
  id: z.string().describe("Slack's id of the conversation (C…, D… or G…)"),
  kind: z.enum(["channel", "group", "im"]).describe("Public channel, private channel (group) or direct message (im)"),
  name: z.string().nullable().describe("Name, without #"),
  creatorId: z.string().nullable().describe("Who created it: with created"),
}).describe("A conversation");

/** A conversation, as far as Slack tells. */
export type SlackChannel = z.output<typeof slackChannelSchema>;

/** Payload of `slack.channel.*`. */
export const slackChannelPayloadSchema = z.object({
  channel: slackChannelSchema,
  userId: z.string().nullable().describe("Who did it; null where Slack does not tell"),
  otherTeamId: z.string().nullable().describe("The workspace it is, or was, shared with: with shared and unshared"),
  ...slackOrigin,
});

/** Payload of `slack.channel.*`. */
export type SlackChannelPayload = z.output<typeof slackChannelPayloadSchema>;

/** Payload of `slack.member.*`. */
export const slackMemberPayloadSchema = z.object({
  userId: z.string().describe("Who joined or left"),
  channelId: z.string().describe("The channel"),
  channelType: z.string().nullable().describe("C for a public channel, G for a private one"),
  inviterId: z.string().nullable().describe("Who invited them: with joined, if anybody did"),
  ...slackOrigin,
});

/** Payload of `slack.member.*`. */
export type SlackMemberPayload = z.output<typeof slackMemberPayloadSchema>;

/** Payload of `slack.file.*`: Slack tells the file's id here, the rest is to be asked for with the app's token. */
export const slackFilePayloadSchema = z.object({
  fileId: z.string().describe("Slack's id of the file (F…)"),
  userId: z.string().nullable().describe("Who did it; null where Slack does not tell"),
  channelIds: z.array(z.string()).describe("Where it was shared or unshared, or had been shared when it was deleted"),
  ...slackOrigin,
});

/** Payload of `slack.file.*`. */
export type SlackFilePayload = z.output<typeof slackFilePayloadSchema>;
