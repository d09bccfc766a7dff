import { SlackEventType } from "@inlet/slack-events";
import { z } from "zod";
import { type EventDraft, text, time } from "../kit/mod.ts";
import { actorOf, draft, subject } from "./draft.ts";
import { event } from "./events.ts";
import { COMMAND } from "./form.ts";
import { generic } from "./generic.ts";
import { id, momentOf, named } from "./input.ts";
import { actions, command, dialog, shortcut } from "./interaction.ts";
import { viewClosed, viewSubmitted } from "./view.ts";

type Normalizer = (body: unknown, receivedAt: Date) => readonly EventDraft[];

const byType = new Map<string, Normalizer>([
  ["app_rate_limited", (body, receivedAt) => [rateLimited(body, receivedAt)]],
  ["block_actions", actions],
  ["dialog_submission", dialog],
  ["event_callback", (body, receivedAt) => [event(body, receivedAt)]],
  ["interactive_message", actions],
  ["message_action", shortcut],
  ["shortcut", shortcut],
  [COMMAND, command],
  ["view_closed", viewClosed],
  ["view_submission", viewSubmitted],
]);

const typed = z.object({ type: id });

/**
 * Turns the body of a verified delivery into drafts. What it is, its `type` says; what is not known by that becomes
 * `slack.event.received`.
 *
 * @throws {z.ZodError} if the body is not what Slack documents for its type
 */
export function normalize(body: unknown, receivedAt: Date): readonly EventDraft[] {
  const { type } = typed.parse(body);
  return (byType.get(type) ?? unknown)(body, receivedAt);
}

const limited = z.object({ minute_rate_limited: time, team_id: text, api_app_id: text });

function rateLimited(body: unknown, receivedAt: Date): EventDraft {
  const { minute_rate_limited, team_id, api_app_id } = limited.parse(body);
  const minute = momentOf(minute_rate_limited, receivedAt);
  const origin = { teamId: named(team_id), appId: named(api_app_id) };
  return draft(SlackEventType.APP_RATE_LIMITED, minute, {
    actor: actorOf(null),
    subject: subject("app", origin.appId ?? "unknown"),
    payload: { minute: minute.toISOString(), ...origin },
  });
}

const anything = z.object({
  type: id,
  team: z.object({ id: text }).nullish().catch(null),
  api_app_id: text,
  action_ts: time,
});

function unknown(body: unknown, receivedAt: Date): readonly EventDraft[] {
  const { type, team, api_app_id, action_ts } = anything.parse(body);
  const origin = { teamId: named(team?.id), appId: named(api_app_id) };
  return [generic(body, { event: type, at: momentOf(action_ts, receivedAt), origin })];
}
