import type { EventOf } from "@inlet/events-core";
import type { z } from "zod";
import { slackGenericPayloadSchema, slackRateLimitPayloadSchema } from "./generic.ts";
import {
  slackActionPayloadSchema,
  slackCommandPayloadSchema,
  slackDialogPayloadSchema,
  slackShortcutPayloadSchema,
  slackViewClosedPayloadSchema,
  slackViewSubmittedPayloadSchema,
} from "./interaction.ts";
import {
  slackMessageDeletedPayloadSchema,
  slackMessageEditedPayloadSchema,
  slackMessagePayloadSchema,
  slackNoticePayloadSchema,
} from "./message.ts";
import { slackChannelPayloadSchema, slackFilePayloadSchema, slackMemberPayloadSchema } from "./place.ts";
import { slackPinPayloadSchema, slackReactionPayloadSchema } from "./reaction.ts";
import type { SlackEventType } from "./types.ts";
import { slackUserPayloadSchema } from "./user.ts";

/**
 * The payload schema of every event type. They strip what they do not know, so that a consumer goes on when a later
 * version of the connector tells more.
 */
export const slackPayloadSchemas = {
  "slack.action.triggered": slackActionPayloadSchema,
  "slack.app.rate_limited": slackRateLimitPayloadSchema,
  "slack.channel.archived": slackChannelPayloadSchema,
  "slack.channel.created": slackChannelPayloadSchema,
  "slack.channel.deleted": slackChannelPayloadSchema,
  "slack.channel.left": slackChannelPayloadSchema,
  "slack.channel.renamed": slackChannelPayloadSchema,
  "slack.channel.shared": slackChannelPayloadSchema,
  "slack.channel.unarchived": slackChannelPayloadSchema,
  "slack.channel.unshared": slackChannelPayloadSchema,
  "slack.command.invoked": slackCommandPayloadSchema,
  "slack.dialog.submitted": slackDialogPayloadSchema,
  "slack.event.received": slackGenericPayloadSchema,
  "slack.file.changed": slackFilePayloadSchema,
  "slack.file.created": slackFilePayloadSchema,
  "slack.file.deleted": slackFilePayloadSchema,
  "slack.file.published": slackFilePayloadSchema,
  "slack.file.shared": slackFilePayloadSchema,
  "slack.file.unshared": slackFilePayloadSchema,
  "slack.member.joined": slackMemberPayloadSchema,
  "slack.member.left": slackMemberPayloadSchema,
  "slack.mention.received": slackMessagePayloadSchema,
  "slack.message.deleted": slackMessageDeletedPayloadSchema,
  "slack.message.edited": slackMessageEditedPayloadSchema,
  "slack.message.posted": slackMessagePayloadSchema,
  "slack.notice.posted": slackNoticePayloadSchema,
  "slack.pin.added": slackPinPayloadSchema,
  "slack.pin.removed": slackPinPayloadSchema,
  "slack.reaction.added": slackReactionPayloadSchema,
  "slack.reaction.removed": slackReactionPayloadSchema,
  "slack.shortcut.triggered": slackShortcutPayloadSchema,
  "slack.user.changed": slackUserPayloadSchema,
  "slack.user.joined": slackUserPayloadSchema,
  "slack.view.closed": slackViewClosedPayloadSchema,
  "slack.view.submitted": slackViewSubmittedPayloadSchema,
} as const satisfies Record<SlackEventType, z.ZodType>;

type Payloads = { [Type in SlackEventType]: z.output<(typeof slackPayloadSchemas)[Type]> };

/** The payload of one event type: `SlackPayload<"slack.message.posted">` has a `message`. */
export type SlackPayload<Type extends SlackEventType> = Payloads[Type];

/** Any event of the Slack connector, its payload told by its `type`. */
export type SlackEvent = EventOf<typeof slackPayloadSchemas>;
