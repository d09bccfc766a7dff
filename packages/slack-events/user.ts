import { z } from "zod";
import { slackOrigin } from "./common.ts";

/** A member of the workspace: a person or a bot. */
export const slackUserSchema = z.object({
  id: z.string().describe("Slack's id of the user (U… or W…)"),
  name: z.string().nullable().describe("User name; Slack asks not to rely on it"),
  realName: z.string().nullable().describe("Full name"),
  displayName: z.string().nullable().describe("The name that others see"),
  title: z.string().nullable().describe("What they do"),
  email: z.string().nullable().describe("E-mail address; told to apps with the scope users:read.email"),
  timeZone: z.string().nullable().describe("IANA time zone, such as Europe/Berlin"),
  statusText: z.string().nullable().describe("Status"),
  statusEmoji: z.string().nullable().describe("Emoji of the status, with colons"),
  bot: z.boolean().describe("Whether it is a bot"),
  admin: z.boolean().describe("Whether it administers the workspace"),
  guest: z.boolean().describe("Whether it is a guest, of one channel or several"),
  deleted: z.boolean().describe("Whether the account is deactivated"),
}).describe("A member of the workspace");

/** A member of the workspace. */
export type SlackUser = z.output<typeof slackUserSchema>;

/** Payload of `slack.user.*`. */
export const slackUserPayloadSchema = z.object({ user: slackUserSchema, ...slackOrigin });

/** Payload of `slack.user.*`. */
export type SlackUserPayload = z.output<typeof slackUserPayloadSchema>;
