import { z } from "zod";

/** Where an event comes from: the fields that every payload has. */
export const slackOrigin = {
  teamId: z.string().nullable().describe("The Slack workspace (T…); null where Slack names none, as for a whole org"),
  appId: z.string().nullable().describe("The Slack app that the delivery was sent to (A…)"),
} as const;

/** What an interaction can be answered with, for as long as Slack takes the answer. */
export const slackAnswer = {
  triggerId: z.string().nullable().describe("Opens a modal, with the app's token, within 3 seconds"),
  responseUrl: z.string().nullable()
    .describe("Takes up to five answers within 30 minutes from whoever knows it: treat it as a secret"),
} as const;

/** A file, as far as Slack tells; files of other organizations come with little but their id. */
export const slackFileSchema = z.object({
  id: z.string().describe("Slack's id of the file (F…)"),
  name: z.string().nullable().describe("File name"),
  title: z.string().nullable().describe("Title that people see"),
  mimetype: z.string().nullable().describe("Media type, such as image/png"),
  size: z.number().nullable().describe("Size in bytes"),
  url: z.string().nullable().describe("Where the app's token downloads it"),
  permalink: z.string().nullable().describe("The file's page in Slack"),
}).describe("A file");

/** A file. */
export type SlackFile = z.output<typeof slackFileSchema>;

/** A part of a message that an app attached in the older way: monitoring tools often say all they say there. */
export const slackAttachmentSchema = z.object({
  title: z.string().nullable().describe("Title"),
  titleLink: z.string().nullable().describe("Where the title leads"),
  text: z.string().nullable().describe("Text, in Slack's mrkdwn"),
  fallback: z.string().nullable().describe("Summary in plain text"),
}).describe("An attachment of a message");

/** An attachment of a message. */
export type SlackAttachment = z.output<typeof slackAttachmentSchema>;
