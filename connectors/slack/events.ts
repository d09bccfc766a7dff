import { SlackEventType } from "@inlet/slack-events";
import { z } from "zod";
import { type EventDraft, text, time } from "../kit/mod.ts";
import type { EventReader } from "./draft.ts";
import { generic } from "./generic.ts";
import { id, momentOf, named } from "./input.ts";
import { anyMessage, mention } from "./message.ts";
import { channel, file, member } from "./place.ts";
import { pin, reaction } from "./reaction.ts";
import { userEvent } from "./user.ts";

const Type = SlackEventType;

/** By Slack's name (https://docs.slack.dev/reference/events); a `group` is a private channel, an `im` a direct message. */
const byName = new Map<string, EventReader>([
  ["app_mention", mention],
  ["channel_archive", channel(Type.CHANNEL_ARCHIVED, "channel")],
  ["channel_created", channel(Type.CHANNEL_CREATED, "channel")],
  ["channel_deleted", channel(Type.CHANNEL_DELETED, "channel")],
  ["channel_left", channel(Type.CHANNEL_LEFT, "channel")],
  ["channel_rename", channel(Type.CHANNEL_RENAMED, "channel")],
  ["channel_shared", channel(Type.CHANNEL_SHARED, "channel")],
  ["channel_unarchive", channel(Type.CHANNEL_UNARCHIVED, "channel")],
  ["channel_unshared", channel(Type.CHANNEL_UNSHARED, "channel")],
  ["file_change", file(Type.FILE_CHANGED)],
  ["file_created", file(Type.FILE_CREATED)],
  ["file_deleted", file(Type.FILE_DELETED)],
  ["file_public", file(Type.FILE_PUBLISHED)],
  ["file_shared", file(Type.FILE_SHARED)],
  ["file_unshared", file(Type.FILE_UNSHARED)],
  ["group_archive", channel(Type.CHANNEL_ARCHIVED, "group")],
  ["group_deleted", channel(Type.CHANNEL_DELETED, "group")],
  ["group_left", channel(Type.CHANNEL_LEFT, "group")],
  ["group_rename", channel(Type.CHANNEL_RENAMED, "group")],
  ["group_unarchive", channel(Type.CHANNEL_UNARCHIVED, "group")],
  ["im_created", channel(Type.CHANNEL_CREATED, "im")],
  ["member_joined_channel", member(Type.MEMBER_JOINED)],
  ["member_left_channel", member(Type.MEMBER_LEFT)],
  ["message", anyMessage],
  ["pin_added", pin(Type.PIN_ADDED)],
  ["pin_removed", pin(Type.PIN_REMOVED)],
  ["reaction_added", reaction(Type.REACTION_ADDED)],
  ["reaction_removed", reaction(Type.REACTION_REMOVED)],
  ["team_join", userEvent(Type.USER_JOINED)],
  ["user_change", userEvent(Type.USER_CHANGED)],
]);

const callback = z.object({
  team_id: text,
  api_app_id: text,
  event_time: time,
  event: z.looseObject({ type: id, event_ts: time }),
});

/** Reads what the Events API sends: an event in an envelope. */
export function event(body: unknown, receivedAt: Date): EventDraft {
  const { team_id, api_app_id, event_time, event } = callback.parse(body);
  const at = momentOf(event.event_ts, momentOf(event_time, receivedAt));
  const context = { event: event.type, at, origin: { teamId: named(team_id), appId: named(api_app_id) } };
  return byName.get(event.type)?.(body, context) ?? generic(event, context);
}
