import { SlackEventType } from "@inlet/slack-events";
import { z } from "zod";
import { type EventDraft, text } from "../kit/mod.ts";
import { actorOf, authorOf, type Context, draft, type EventReader, messageSubject, reader, subject } from "./draft.ts";
import { id, message, messageOf, messageShape, named } from "./input.ts";

const place = { channel: id, channel_type: text } as const;

interface Place {
  readonly channel: string;
  readonly channel_type?: string | null | undefined;
}

function placeOf({ channel, channel_type }: Place): { channelId: string; channelType: string | null } {
  return { channelId: channel, channelType: named(channel_type) };
}

const written = z.object({ ...messageShape, ...place });

function writtenAs(type: typeof SlackEventType.MESSAGE_POSTED | typeof SlackEventType.MENTION_RECEIVED): EventReader {
  return reader(written, (event, { at, origin }) => {
    const message = messageOf(event);
    return draft(type, at, {
      actor: authorOf(message),
      subject: messageSubject(event.channel, event.ts),
      payload: { message, ...placeOf(event), ...origin },
    });
  });
}

const posted = writtenAs(SlackEventType.MESSAGE_POSTED);

/** Reads `app_mention`: a message that names the app. */
export const mention: EventReader = writtenAs(SlackEventType.MENTION_RECEIVED);

/** What is left in place of a deleted message whose thread goes on. */
const TOMBSTONE = "tombstone";

const changed = reader(
  z.object({ ...place, message, previous_message: message.nullish() }),
  ({ message, previous_message, ...event }, { at, origin }) => {
    const previous = previous_message ?? null;
    const where = { ...placeOf(event), ...origin };
    const concerned = messageSubject(event.channel, message.ts);
    if (message.subtype === TOMBSTONE) {
      const payload = { ts: message.ts, previous, ...where };
      return draft(SlackEventType.MESSAGE_DELETED, at, { actor: actorOf(null), subject: concerned, payload });
    }
    // Slack changes messages too, to unfurl a link or to count replies: then the last edit is that of before, or none.
    const byHand = message.edited !== null && message.edited.ts !== previous?.edited?.ts;
    const actor = actorOf(byHand ? message.edited?.userId : null);
    return draft(SlackEventType.MESSAGE_EDITED, at, {
      actor,
      subject: concerned,
      payload: { message, previous, ...where },
    });
  },
);

const deleted = reader(
  z.object({ ...place, deleted_ts: id, previous_message: message.nullish() }),
  ({ deleted_ts, previous_message, ...event }, { at, origin }) =>
    draft(SlackEventType.MESSAGE_DELETED, at, {
      // Slack does not tell who: the author, or somebody who may delete what others wrote.
      actor: actorOf(null),
      subject: messageSubject(event.channel, deleted_ts),
      payload: { ts: deleted_ts, previous: previous_message ?? null, ...placeOf(event), ...origin },
    }),
);

const notice = reader(
  z.object({
    ...place,
    ts: id,
    subtype: id,
    text,
    user: text,
    inviter: text,
    topic: text,
    purpose: text,
    name: text,
    old_name: text,
  }),
  (event, { at, origin }) =>
    draft(SlackEventType.NOTICE_POSTED, at, {
      actor: actorOf(event.user),
      subject: subject("channel", event.channel),
      payload: {
        subtype: event.subtype,
        ts: event.ts,
        text: event.text ?? null,
        userId: named(event.user),
        inviterId: named(event.inviter),
        topic: event.topic ?? null,
        purpose: event.purpose ?? null,
        name: named(event.name),
        oldName: named(event.old_name),
        ...placeOf(event),
        ...origin,
      },
    }),
);

/** By subtype (https://docs.slack.dev/reference/events/message): what a person or a bot wrote, and what happened to it. */
const bySubtype = new Map<string, EventReader>([
  ["", posted],
  ["bot_message", posted],
  ["file_share", posted],
  ["me_message", posted],
  ["thread_broadcast", posted],
  ["message_changed", changed],
  ["message_deleted", deleted],
]);

const kind = z.object({ event: z.object({ subtype: text }) });

/** Reads `message`, which is also a changed message and a deleted one; any other subtype is a line of Slack's own. */
export function anyMessage(body: unknown, context: Context): EventDraft {
  const { subtype } = kind.parse(body).event;
  return (bySubtype.get(subtype ?? "") ?? notice)(body, context);
}
