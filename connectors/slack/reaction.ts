import type { Subject } from "@inlet/events-core";
import type { SlackEventType, SlackItem } from "@inlet/slack-events";
import { z } from "zod";
import { text } from "../kit/mod.ts";
import { actorOf, draft, type EventReader, messageSubject, reader, subject } from "./draft.ts";
import { id, named } from "./input.ts";

const linked = z.object({ permalink: text });

const item = z.object({
  type: id,
  channel: text,
  ts: text,
  message: linked.extend({ ts: text }).nullish(),
  file: z.union([id, linked.extend({ id })]).nullish(),
}).transform(({ type, channel, ts, message, file }): SlackItem => ({
  type,
  channelId: named(channel),
  ts: named(ts) ?? named(message?.ts),
  fileId: (typeof file === "string" ? file : file?.id) ?? null,
  permalink: named(message?.permalink) ?? (typeof file === "string" ? null : named(file?.permalink)),
}));

function subjectOf({ type, channelId, ts, fileId }: SlackItem): Subject {
  if (channelId !== null && ts !== null) return messageSubject(channelId, ts);
  return fileId !== null ? subject("file", fileId) : subject("item", channelId ?? type);
}

/** Reads `reaction_added` or `reaction_removed`. */
export function reaction(
  type: typeof SlackEventType.REACTION_ADDED | typeof SlackEventType.REACTION_REMOVED,
): EventReader {
  const schema = z.object({ reaction: id, user: id, item_user: text, item });
  return reader(schema, ({ reaction, user, item_user, item }, { at, origin }) =>
    draft(type, at, {
      actor: actorOf(user),
      subject: subjectOf(item),
      payload: { reaction, item, userId: user, itemUserId: named(item_user), ...origin },
    }));
}

/** Reads `pin_added` or `pin_removed`. */
export function pin(type: typeof SlackEventType.PIN_ADDED | typeof SlackEventType.PIN_REMOVED): EventReader {
  const schema = z.object({ channel_id: id, user: id, item_user: text, item });
  return reader(schema, ({ channel_id, user, item_user, item }, { at, origin }) =>
    draft(type, at, {
      actor: actorOf(user),
      subject: subjectOf(item),
      payload: { item, channelId: channel_id, userId: user, itemUserId: named(item_user), ...origin },
    }));
}
