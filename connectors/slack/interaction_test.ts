import assert from "node:assert/strict";
import type { EventDraft } from "../kit/mod.ts";
import { ShapeError } from "../kit/mod.ts";
import { form, interaction, payloadOf, received, signed } from "./testing.ts";

const sent = {
  user: { id: "U1", username: "mira", team_id: "T1" },
  team: { id: "T1", domain: "acme" },
  api_app_id: "A1",
  trigger_id: "1.2.abc",
  response_url: "https://hooks.slack.com/actions/1",
};

function draftsOf(payload: Record<string, unknown>): readonly EventDraft[] {
  return received(interaction({ ...sent, ...payload })).drafts;
}

function only(payload: Record<string, unknown>): EventDraft {
  const [draft, ...more] = draftsOf(payload);
  assert.ok(draft && more.length === 0);
  return draft;
}

Deno.test("actions: each element used is an event, in order, with what was chosen in it", () => {
  const chosen: readonly (readonly [Record<string, unknown>, readonly string[]])[] = [
    [{ type: "button", value: "go" }, ["go"]],
    [{ type: "static_select", selected_option: { text: { type: "plain_text", text: "One" }, value: "1" } }, ["1"]],
    [{ type: "multi_static_select", selected_options: [{ value: "1" }, { value: "2" }] }, ["1", "2"]],
    [{ type: "checkboxes", selected_options: [] }, []],
    [{ type: "radio_buttons", selected_option: null }, []],
    [{ type: "users_select", selected_user: "U2" }, ["U2"]],
    [{ type: "multi_users_select", selected_users: ["U2", "U3"] }, ["U2", "U3"]],
    [{ type: "conversations_select", selected_conversation: "C2" }, ["C2"]],
    [{ type: "multi_channels_select", selected_channels: ["C2"] }, ["C2"]],
    [{ type: "datepicker", selected_date: "2026-03-02" }, ["2026-03-02"]],
    [{ type: "timepicker", selected_time: null }, []],
    [{ type: "datetimepicker", selected_date_time: 1700000000 }, ["1700000000"]],
    [{ type: "rich_text_input", rich_text_value: { type: "rich_text", elements: [] } }, [
      '{"type":"rich_text","elements":[]}',
    ]],
    [{ type: "file_input", files: [{ id: "F1" }] }, ["F1"]],
  ];
  const actions = chosen.map(([element], index) => ({ ...element, action_id: `a${index}`, block_id: "b" }));
  const drafts = draftsOf({ type: "block_actions", actions });
  const told = drafts.map((draft) => payloadOf(draft, "slack.action.triggered").action);
  assert.deepEqual(told.map(({ actionId }) => actionId), chosen.map((_, index) => `a${index}`));
  for (const [index, { type, values }] of told.entries()) {
    assert.deepEqual([type, values], [chosen[index]?.[0].type, chosen[index]?.[1]]);
  }
});

Deno.test("actions: one concerns its message, or its view, or itself", () => {
  const used = (where: Record<string, unknown>) =>
    only({ type: "block_actions", actions: [{ type: "button", action_id: "go" }], ...where }).subject;
  const message = { type: "message", ts: "1.2", text: "?" };
  assert.deepEqual(used({ message, channel: { id: "C1" } }), { type: "message", id: "C1/1.2" });
  assert.deepEqual(used({ view: { id: "V1", callback_id: "plan" } }), { type: "view", id: "V1", name: "plan" });
  assert.deepEqual(used({}), { type: "action", id: "go" });
});

Deno.test("actions: one tells all inputs of its message, or of its view, as they stand", () => {
  const state = { values: { b: { note: { type: "plain_text_input", value: "x" }, day: { type: "datepicker" } } } };
  const used = (where: Record<string, unknown>) =>
    payloadOf(only({ type: "block_actions", actions: [{ type: "button" }], ...where }), "slack.action.triggered");
  const told = { b: { note: ["x"], day: [] } };
  assert.deepEqual(used({ state }).values, told);
  assert.deepEqual(used({ view: { id: "V1", state } }).values, told);
  assert.deepEqual(used({}).values, {});
});

Deno.test("actions: buttons of older messages are read as those of new ones", () => {
  const draft = only({
    type: "interactive_message",
    callback_id: "wopr_game",
    actions: [{ name: "game", type: "button", value: "chess" }],
    channel: { id: "C1", name: "games" },
    action_ts: "1700000000.500000",
    original_message: { text: "Choose a game", ts: "1.2" },
  });
  const { action, message } = payloadOf(draft, "slack.action.triggered");
  assert.deepEqual(action, {
    type: "button",
    actionId: "game",
    blockId: null,
    callbackId: "wopr_game",
    values: ["chess"],
  });
  assert.equal(message?.text, "Choose a game");
  assert.equal(draft.occurredAt.toISOString(), "2023-11-14T22:13:20.500Z");
});

Deno.test("interactions: answers, person, workspace and app are told, and no verification token", () => {
  const draft = only({ type: "shortcut", callback_id: "c", token: "hush" });
  assert.deepEqual(payloadOf(draft, "slack.shortcut.triggered"), {
    callbackId: "c",
    message: null,
    channelId: null,
    userId: "U1",
    userName: "mira",
    triggerId: "1.2.abc",
    responseUrl: "https://hooks.slack.com/actions/1",
    teamId: "T1",
    appId: "A1",
  });
  assert.deepEqual(draft.subject, { type: "shortcut", id: "c" });
  assert.deepEqual(draft.actor, { type: "user", id: "U1", name: "mira" });
});

Deno.test("interactions: an app of a whole organization has no team but the user's", () => {
  const draft = only({ type: "shortcut", callback_id: "c", team: null });
  assert.equal(payloadOf(draft, "slack.shortcut.triggered").teamId, "T1");
});

Deno.test("views: a submission tells every input by block and action, a closed view whether all were", () => {
  const view = {
    id: "V1",
    callback_id: "plan",
    title: { type: "plain_text", text: "Plan" },
    state: { values: { b1: { a1: { type: "plain_text_input", value: "x" } }, b2: { a2: { type: "datepicker" } } } },
  };
  const submitted = payloadOf(only({ type: "view_submission", view }), "slack.view.submitted");
  assert.deepEqual(submitted.values, { b1: { a1: ["x"] }, b2: { a2: [] } });
  assert.deepEqual([submitted.view.callbackId, submitted.view.title], ["plan", "Plan"]);
  const closed = payloadOf(only({ type: "view_closed", view, is_cleared: true }), "slack.view.closed");
  assert.equal(closed.cleared, true);
});

Deno.test("views: rich text that is nested without end is refused, and that of a person is told", () => {
  const typed = (richText: string) => {
    const values = { b: { a: { type: "rich_text_input", rich_text_value: "RICH" } } };
    const body = { type: "view_submission", user: { id: "U1" }, view: { id: "V1", state: { values } } };
    return form({ payload: JSON.stringify(body).replace('"RICH"', richText) });
  };
  const rich = '{"type":"rich_text","elements":[{"type":"rich_text_section","elements":[{"type":"text","text":"x"}]}]}';
  const [draft] = received(typed(rich)).drafts;
  assert.deepEqual(draft && payloadOf(draft, "slack.view.submitted").values, { b: { a: [rich] } });
  assert.throws(() => received(typed(`${'{"0":'.repeat(100_000)}1${"}".repeat(100_000)}`)), ShapeError);
});

Deno.test("dialogs: a submission tells what was entered in each element, and what was left empty", () => {
  const draft = only({
    type: "dialog_submission",
    token: "hush",
    action_ts: "1700000000.500000",
    callback_id: "order",
    submission: { name: "Mira", meal: "burrito", comment: null },
    state: "vegan",
    channel: { id: "C1", name: "lunch" },
    trigger_id: undefined,
  });
  assert.deepEqual(payloadOf(draft, "slack.dialog.submitted"), {
    callbackId: "order",
    values: { name: "Mira", meal: "burrito", comment: null },
    state: "vegan",
    channelId: "C1",
    userId: "U1",
    userName: "mira",
    responseUrl: "https://hooks.slack.com/actions/1",
    teamId: "T1",
    appId: "A1",
  });
  assert.deepEqual(draft.subject, { type: "dialog", id: "order" });
  assert.equal(draft.occurredAt.toISOString(), "2023-11-14T22:13:20.500Z");
});

Deno.test("interactions: one that nobody knows yet is told in the generic way, without what answers it", () => {
  const draft = only({
    type: "dialog_cancellation",
    callback_id: "c",
    state: "s",
    channel: { id: "C1" },
  });
  const { event, userId, channelId, details, teamId } = payloadOf(draft, "slack.event.received");
  assert.deepEqual([event, userId, channelId, teamId], ["dialog_cancellation", "U1", "C1", "T1"]);
  assert.deepEqual(details, { callbackId: "c", state: "s" });
});

Deno.test("commands: what comes behind more fields than Slack sends is not read", () => {
  const command = "command=%2Fwater&user_id=U1&text=now";
  const [draft] = received(signed(`${command}${"&a".repeat(5_000_000)}`, {
    "content-type": "application/x-www-form-urlencoded",
  })).drafts;
  assert.equal(draft && payloadOf(draft, "slack.command.invoked").text, "now");
});

Deno.test("commands: texts of any kind come as they were typed", () => {
  const text = "50 % + ünï & 🌱 = payload";
  const [draft] =
    received(form({ command: "/water", text, user_id: "U1", channel_id: "C1", trigger_id: "1.2" })).drafts;
  assert.ok(draft);
  const told = payloadOf(draft, "slack.command.invoked");
  assert.deepEqual([told.command, told.text, told.channelId, told.teamId], ["/water", text, "C1", null]);
  assert.deepEqual(draft.subject, { type: "command", id: "/water" });
});
