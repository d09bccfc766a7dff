import { SlackEventType } from "@inlet/slack-events";
import { z } from "zod";
import type { EventDraft } from "../kit/mod.ts";
import { actorOf, draft, subject } from "./draft.ts";
import { named } from "./input.ts";
import { originOf, personOf, sender, state, view } from "./interaction_input.ts";

const sent = z.object({ ...sender, view, is_cleared: z.boolean().nullish() });
const filledIn = z.object({ view: z.object({ state }) });

/** Reads `view_submission`: somebody sent a modal off (https://docs.slack.dev/reference/interaction-payloads). */
export function viewSubmitted(body: unknown, receivedAt: Date): EventDraft[] {
  const it = sent.parse(body);
  const values = filledIn.parse(body).view.state?.values ?? {};
  const payload = { view: it.view, values, ...personOf(it), triggerId: named(it.trigger_id), ...originOf(it) };
  return [draft(SlackEventType.VIEW_SUBMITTED, receivedAt, { ...concerning(it), payload })];
}

/** Reads `view_closed`, which Slack sends for views that ask for it. */
export function viewClosed(body: unknown, receivedAt: Date): EventDraft[] {
  const it = sent.parse(body);
  const payload = { view: it.view, cleared: it.is_cleared ?? false, ...personOf(it), ...originOf(it) };
  return [draft(SlackEventType.VIEW_CLOSED, receivedAt, { ...concerning(it), payload })];
}

function concerning({ view, user }: z.output<typeof sent>) {
  return {
    actor: actorOf(user.id, personOf({ user }).userName),
    subject: subject("view", view.id, view.callbackId),
  };
}
