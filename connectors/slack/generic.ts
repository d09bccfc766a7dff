import { SlackEventType } from "@inlet/slack-events";
import { z } from "zod";
import { type EventDraft, text } from "../kit/mod.ts";
import { actorOf, type Context, draft, subject } from "./draft.ts";
import { id, named } from "./input.ts";

/** An id, or something that has one. */
const reference = z.union([id, z.object({ id }).transform(({ id }) => id)]).nullable().catch(null);

const thing = z.looseObject({
  subtype: text,
  user: reference,
  user_id: reference,
  channel: reference,
  channel_id: reference,
});

/** Told elsewhere in the event, or nobody's business: tokens let who has them act as the app. */
const LEFT_OUT =
  /^(?:type|subtype|user|user_id|channel|channel_id|team_id|api_app_id|event_ts)$|token|secret|password|response_url|trigger_id/i;
const NAME = /^[a-z][a-z0-9_]*$/i;

/** Makes a draft of whatever Slack sends that has no type of its own: of what it says, the single values. */
export function generic(input: unknown, { event, at, origin }: Context): EventDraft {
  const { subtype, user, user_id, channel, channel_id, ...rest } = thing.parse(input);
  const userId = user ?? user_id;
  const channelId = channel ?? channel_id;
  return draft(SlackEventType.EVENT_RECEIVED, at, {
    actor: actorOf(userId),
    subject: channelId === null ? subject("event", event) : subject("channel", channelId),
    payload: { event, subtype: named(subtype), userId, channelId, details: detailsOf(rest), ...origin },
  });
}

function detailsOf(event: Record<string, unknown>): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(event).flatMap(([key, value]) =>
      NAME.test(key) && !LEFT_OUT.test(key) && isSingle(value) ? [[camelCase(key), value] as const] : []
    ),
  );
}

function isSingle(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}

/** A `_` that another stands before begins nothing: without that, a name of nothing else would take hours. */
function camelCase(key: string): string {
  return key.replace(/(?<!_)_+([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase());
}
