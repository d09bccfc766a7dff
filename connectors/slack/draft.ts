import type { Actor, Subject } from "@inlet/events-core";
import type { SlackEventType, SlackMessage, SlackPayload } from "@inlet/slack-events";
import { z } from "zod";
import type { EventDraft } from "../kit/mod.ts";

/** What a normalizer is told besides what it reads. */
export interface Context {
  /** Slack's name of the event. */
  readonly event: string;
  /** When it happened, as Slack says, or when it arrived. */
  readonly at: Date;
  /** What every payload says of where the event comes from. */
  readonly origin: { readonly teamId: string | null; readonly appId: string | null };
}

/** Turns the body of an `event_callback` into a draft. Throws a `ZodError` if the event is not what Slack documents. */
export type EventReader = (body: unknown, context: Context) => EventDraft;

/** Makes a reader of a schema of the event proper, which stands in the body's field `event`. */
export function reader<Event>(
  schema: z.ZodType<Event>,
  tell: (event: Event, context: Context) => EventDraft,
): EventReader {
  const body = z.object({ event: schema });
  return (input, context) => tell(body.parse(input).event, context);
}

/** A draft whose payload is the one of its type. */
export function draft<Type extends SlackEventType>(
  type: Type,
  occurredAt: Date,
  told: { readonly actor: Actor; readonly subject: Subject; readonly payload: SlackPayload<Type> },
): EventDraft {
  return { type, occurredAt, ...told };
}

/** Slack itself, where it names nobody. */
const SLACK: Actor = { type: "system", id: "slack", name: "Slack" };
const SLACKBOT = "USLACKBOT";

/** The actor with an id of Slack's. Bots have ids of their own (B…), but also act by user ids, which tell nothing. */
export function actorOf(id: string | null | undefined, name?: string | null): Actor {
  if (!id) return SLACK;
  const type = id.startsWith("B") || id === SLACKBOT ? "bot" : "user";
  return { type, id, ...(name && { name }) };
}

/** Who wrote a message. */
export function authorOf({ botId, botName, userId }: SlackMessage): Actor {
  return botId === null ? actorOf(userId) : { type: "bot", id: botId, ...(botName !== null && { name: botName }) };
}

/** A message as a subject: its `ts` is unique within its channel only. */
export function messageSubject(channelId: string, ts: string): Subject {
  return { type: "message", id: `${channelId}/${ts}` };
}

/** A subject with a name, where there is one. */
export function subject(type: string, id: string, name: string | null = null): Subject {
  return { type, id, ...(name !== null && { name }) };
}
