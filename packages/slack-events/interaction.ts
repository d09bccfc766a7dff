import { z } from "zod";
import { slackAnswer, slackOrigin } from "./common.ts";
import { slackMessageSchema } from "./message.ts";

/** Who interacted. */
const person = {
  userId: z.string().describe("Who did it"),
  userName: z.string().nullable().describe("Their user name; Slack asks not to rely on it"),
} as const;

const inputValues = z.array(z.string())
  .describe(
    "What was entered or chosen: ids of users and channels, values of options and buttons, dates, texts; rich text as JSON",
  );

const inputs = z.record(z.string(), z.record(z.string(), inputValues));

/** A modal or the app's home. */
export const slackViewSchema = z.object({
  id: z.string().describe("Slack's id of the view (V…)"),
  type: z.string().nullable().describe("modal or home"),
  callbackId: z.string().nullable().describe("The app's name of the view"),
  externalId: z.string().nullable().describe("The app's own id of the view"),
  title: z.string().nullable().describe("Title"),
  privateMetadata: z.string().nullable().describe("What the app stored with it"),
}).describe("A modal or the app's home");

/** A modal or the app's home. */
export type SlackView = z.output<typeof slackViewSchema>;

/** Payload of `slack.action.triggered`: somebody used a button, menu or input of the app. */
export const slackActionPayloadSchema = z.object({
  action: z.object({
    type: z.string().describe("The element, such as button or static_select"),
    actionId: z.string().nullable().describe("The app's name of the element"),
    blockId: z.string().nullable().describe("The app's name of the block that it is in"),
    callbackId: z.string().nullable().describe("The app's name of the attachment: in messages of the older kind only"),
    values: inputValues,
  }).describe("What was used"),
  values: inputs.describe("All inputs of the message or view as they stood then, by block id and action id"),
  message: slackMessageSchema.nullable().describe("The message that it is in"),
  view: slackViewSchema.nullable().describe("The view that it is in"),
  channelId: z.string().nullable().describe("The message's channel"),
  ...person,
  ...slackAnswer,
  ...slackOrigin,
});

/** Payload of `slack.action.triggered`. */
export type SlackActionPayload = z.output<typeof slackActionPayloadSchema>;

/** Payload of `slack.view.submitted`. */
export const slackViewSubmittedPayloadSchema = z.object({
  view: slackViewSchema,
  values: inputs.describe("The inputs, by block id and action id"),
  ...person,
  triggerId: slackAnswer.triggerId,
  ...slackOrigin,
});

/** Payload of `slack.view.submitted`. */
export type SlackViewSubmittedPayload = z.output<typeof slackViewSubmittedPayloadSchema>;

/** Payload of `slack.view.closed`. */
export const slackViewClosedPayloadSchema = z.object({
  view: slackViewSchema,
  cleared: z.boolean().describe("Whether all views of the stack were closed with it"),
  ...person,
  ...slackOrigin,
});

/** Payload of `slack.view.closed`. */
export type SlackViewClosedPayload = z.output<typeof slackViewClosedPayloadSchema>;

/** Payload of `slack.dialog.submitted`. */
export const slackDialogPayloadSchema = z.object({
  callbackId: z.string().describe("The app's name of the dialog"),
  values: z.record(z.string(), z.string().nullable())
    .describe("What was entered or chosen, by the element's name; null where it was left empty"),
  state: z.string().nullable().describe("What the app stored with it"),
  channelId: z.string().nullable().describe("Where it was opened"),
  ...person,
  responseUrl: slackAnswer.responseUrl,
  ...slackOrigin,
});

/** Payload of `slack.dialog.submitted`. */
export type SlackDialogPayload = z.output<typeof slackDialogPayloadSchema>;

/** Payload of `slack.shortcut.triggered`. */
export const slackShortcutPayloadSchema = z.object({
  callbackId: z.string().describe("The app's name of the shortcut"),
  message: slackMessageSchema.nullable().describe("The message that it was used on; null for a global shortcut"),
  channelId: z.string().nullable().describe("The message's channel"),
  ...person,
  ...slackAnswer,
  ...slackOrigin,
});

/** Payload of `slack.shortcut.triggered`. */
export type SlackShortcutPayload = z.output<typeof slackShortcutPayloadSchema>;

/** Payload of `slack.command.invoked`. */
export const slackCommandPayloadSchema = z.object({
  command: z.string().describe("The command, with its slash"),
  text: z.string().describe("What was typed after it"),
  channelId: z.string().nullable().describe("Where it was typed"),
  channelName: z.string().nullable().describe("Name of the channel; directmessage or privategroup where it has none"),
  ...person,
  ...slackAnswer,
  ...slackOrigin,
});

/** Payload of `slack.command.invoked`. */
export type SlackCommandPayload = z.output<typeof slackCommandPayloadSchema>;
