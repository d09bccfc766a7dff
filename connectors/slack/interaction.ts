import { SlackEventType } from "@inlet/slack-events";
import { z } from "zod";
import { type EventDraft, listOf, recordOf, text, time } from "../kit/mod.ts";
import { actorOf, draft, messageSubject, subject } from "./draft.ts";
import { id, message, momentOf, named } from "./input.ts";
import { element, originOf, personOf, sender, state, valuesOf, view } from "./interaction_input.ts";

const action = element.extend({ action_id: text, block_id: text, name: text, action_ts: time });

const used = z.object({
  ...sender,
  actions: listOf(action),
  callback_id: text,
  action_ts: time,
  message: message.nullish(),
  original_message: message.nullish(),
  view: view.nullish(),
});

/** A message's inputs stand beside it, those of a view in it. */
const filledIn = z.object({ state, view: z.object({ state }).nullish() });

/** Reads `block_actions`, and `interactive_message` of older messages: an event for each element that was used. */
export function actions(body: unknown, receivedAt: Date): EventDraft[] {
  const it = used.parse(body);
  const written = it.message ?? it.original_message ?? null;
  const channelId = it.channel?.id ?? null;
  const inputs = filledIn.parse(body);
  const values = (inputs.state ?? inputs.view?.state)?.values ?? {};
  return it.actions.map((action) => {
    const actionId = named(action.action_id) ?? named(action.name);
    const concerned = written !== null && channelId !== null
      ? messageSubject(channelId, written.ts)
      : it.view
      ? subject("view", it.view.id, it.view.callbackId)
      : subject("action", actionId ?? action.type);
    return draft(SlackEventType.ACTION_TRIGGERED, momentOf(action.action_ts ?? it.action_ts, receivedAt), {
      actor: actorOf(it.user.id, personOf(it).userName),
      subject: concerned,
      payload: {
        action: {
          type: action.type,
          actionId,
          blockId: named(action.block_id),
          callbackId: named(it.callback_id),
          values: valuesOf(action),
        },
        values,
        message: written,
        view: it.view ?? null,
        channelId,
        ...personOf(it),
        triggerId: named(it.trigger_id),
        responseUrl: named(it.response_url),
        ...originOf(it),
      },
    });
  });
}

const taken = z.object({ ...sender, callback_id: id, action_ts: time, message: message.nullish() });

/** Reads `shortcut`, which is global, and `message_action`, a shortcut used on a message. */
export function shortcut(body: unknown, receivedAt: Date): EventDraft[] {
  const it = taken.parse(body);
  const channelId = it.channel?.id ?? null;
  const concerned = it.message && channelId !== null
    ? messageSubject(channelId, it.message.ts)
    : subject("shortcut", it.callback_id);
  return [draft(SlackEventType.SHORTCUT_TRIGGERED, momentOf(it.action_ts, receivedAt), {
    actor: actorOf(it.user.id, personOf(it).userName),
    subject: concerned,
    payload: {
      callbackId: it.callback_id,
      message: it.message ?? null,
      channelId,
      ...personOf(it),
      triggerId: named(it.trigger_id),
      responseUrl: named(it.response_url),
      ...originOf(it),
    },
  })];
}

const submitted = z.object({
  ...sender,
  callback_id: id,
  submission: recordOf(text),
  state: text,
  action_ts: time,
});

/** Reads `dialog_submission` (https://api.slack.com/legacy/dialogs). */
export function dialog(body: unknown, receivedAt: Date): EventDraft[] {
  const it = submitted.parse(body);
  return [draft(SlackEventType.DIALOG_SUBMITTED, momentOf(it.action_ts, receivedAt), {
    actor: actorOf(it.user.id, personOf(it).userName),
    subject: subject("dialog", it.callback_id),
    payload: {
      callbackId: it.callback_id,
      values: Object.fromEntries(Object.entries(it.submission).map(([name, value]) => [name, named(value)])),
      state: named(it.state),
      channelId: it.channel?.id ?? null,
      ...personOf(it),
      responseUrl: named(it.response_url),
      ...originOf(it),
    },
  })];
}

const typed = z.object({
  command: id,
  text: z.string().default(""),
  user_id: id,
  user_name: text,
  channel_id: text,
  channel_name: text,
  team_id: text,
  api_app_id: text,
  trigger_id: text,
  response_url: text,
});

/** Reads a slash command (https://docs.slack.dev/interactivity/implementing-slash-commands). */
export function command(body: unknown, receivedAt: Date): EventDraft[] {
  const it = typed.parse(body);
  return [draft(SlackEventType.COMMAND_INVOKED, receivedAt, {
    actor: actorOf(it.user_id, it.user_name),
    subject: subject("command", it.command),
    payload: {
      command: it.command,
      text: it.text,
      channelId: named(it.channel_id),
      channelName: named(it.channel_name),
      userId: it.user_id,
      userName: named(it.user_name),
      triggerId: named(it.trigger_id),
      responseUrl: named(it.response_url),
      teamId: named(it.team_id),
      appId: named(it.api_app_id),
    },
  })];
}
