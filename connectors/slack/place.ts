import type { SlackChannel, SlackEventType } from "@inlet/slack-events";
import { z } from "zod";
import { listOf, text } from "../kit/mod.ts";
import { actorOf, draft, type EventReader, reader, subject } from "./draft.ts";
import { id, named } from "./input.ts";

/** Some events name the conversation, others describe it. */
const conversation = z.union([
  id.transform((id) => ({ id, name: null, creatorId: null })),
  z.object({ id, name: text, creator: text })
    .transform(({ id, name, creator }) => ({ id, name: named(name), creatorId: named(creator) })),
]);

const channelEvent = z.object({
  channel: conversation,
  user: text,
  actor_id: text,
  connected_team_id: text,
  previously_connected_team_id: text,
});

type TypeOf<Entity extends string> = Extract<SlackEventType, `slack.${Entity}.${string}`>;

/** Reads an event of a conversation; what kind of one it is, the event's name says. */
export function channel(type: TypeOf<"channel">, kind: SlackChannel["kind"]): EventReader {
  return reader(channelEvent, ({ channel, ...event }, { at, origin }) => {
    const userId = named(event.user) ?? named(event.actor_id) ?? channel.creatorId;
    const otherTeamId = named(event.connected_team_id) ?? named(event.previously_connected_team_id);
    return draft(type, at, {
      actor: actorOf(userId),
      subject: subject("channel", channel.id, channel.name),
      payload: { channel: { ...channel, kind }, userId, otherTeamId, ...origin },
    });
  });
}

/** Reads `member_joined_channel` or `member_left_channel`. */
export function member(type: TypeOf<"member">): EventReader {
  const schema = z.object({ user: id, channel: id, channel_type: text, inviter: text });
  return reader(schema, ({ user, channel, channel_type, inviter }, { at, origin }) =>
    draft(type, at, {
      actor: actorOf(user),
      subject: subject("channel", channel),
      payload: {
        userId: user,
        channelId: channel,
        channelType: named(channel_type),
        inviterId: named(inviter),
        ...origin,
      },
    }));
}

/** Reads an event of a file. */
export function file(type: TypeOf<"file">): EventReader {
  const schema = z.object({ file_id: id, user_id: text, channel_id: text, channel_ids: listOf(id).nullish() });
  return reader(schema, ({ file_id, user_id, channel_id, channel_ids }, { at, origin }) =>
    draft(type, at, {
      actor: actorOf(user_id),
      subject: subject("file", file_id),
      payload: {
        fileId: file_id,
        userId: named(user_id),
        channelIds: channel_ids ?? (channel_id ? [channel_id] : []),
        ...origin,
      },
    }));
}
