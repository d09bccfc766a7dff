import { z } from "zod";
import { slackOrigin } from "./common.ts";

/** Payload of `slack.event.received`: an event that has no type of its own here. */
export const slackGenericPayloadSchema = z.object({
  event: z.string().describe("Slack's name of the event or interaction, such as emoji_changed"),
  subtype: z.string().nullable().describe("Slack's subtype of it"),
  userId: z.string().nullable().describe("The user that it names"),
  channelId: z.string().nullable().describe("The conversation that it names"),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .describe("The event's other single values, in camelCase; never a token"),
  ...slackOrigin,
});

/** Payload of `slack.event.received`. */
export type SlackGenericPayload = z.output<typeof slackGenericPayloadSchema>;

/** Payload of `slack.app.rate_limited`: Slack leaves out events of the workspace, for more than 30,000 came in an hour. */
export const slackRateLimitPayloadSchema = z.object({
  minute: z.iso.datetime({ precision: 3 }).describe("The minute in which it began: RFC 3339, UTC"),
  ...slackOrigin,
});

/** Payload of `slack.app.rate_limited`. */
export type SlackRateLimitPayload = z.output<typeof slackRateLimitPayloadSchema>;
