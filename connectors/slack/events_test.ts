import assert from "node:assert/strict";
import type { SlackEventType } from "@inlet/slack-events";
import type { SlackEvent } from "@slack/types";
import { draftOf, enveloped, json, payloadOf, received, RECEIVED_AT } from "./testing.ts";

/**
 * What becomes of every event that Slack's own types name. TypeScript refuses this table when a newer version of
 * `@slack/types` names another, so that somebody decides what it is.
 */
const BECOMES: Record<SlackEvent["type"], SlackEventType> = {
  agent_session_stopped: "slack.event.received",
  agent_session_title_changed: "slack.event.received",
  app_context_changed: "slack.event.received",
  app_deleted: "slack.event.received",
  app_home_opened: "slack.event.received",
  app_installed: "slack.event.received",
  app_mention: "slack.mention.received",
  // Comes without the envelope of an event, and is slack.app.rate_limited then.
  app_rate_limited: "slack.event.received",
  app_requested: "slack.event.received",
  app_uninstalled: "slack.event.received",
  app_uninstalled_team: "slack.event.received",
  assistant_thread_context_changed: "slack.event.received",
  assistant_thread_started: "slack.event.received",
  call_rejected: "slack.event.received",
  channel_archive: "slack.channel.archived",
  channel_created: "slack.channel.created",
  channel_deleted: "slack.channel.deleted",
  channel_history_changed: "slack.event.received",
  channel_id_changed: "slack.event.received",
  channel_left: "slack.channel.left",
  channel_rename: "slack.channel.renamed",
  channel_shared: "slack.channel.shared",
  channel_unarchive: "slack.channel.unarchived",
  channel_unshared: "slack.channel.unshared",
  dnd_updated: "slack.event.received",
  dnd_updated_user: "slack.event.received",
  email_domain_changed: "slack.event.received",
  emoji_changed: "slack.event.received",
  entity_details_requested: "slack.event.received",
  file_change: "slack.file.changed",
  file_comment_deleted: "slack.event.received",
  file_created: "slack.file.created",
  file_deleted: "slack.file.deleted",
  file_public: "slack.file.published",
  file_shared: "slack.file.shared",
  file_unshared: "slack.file.unshared",
  function_executed: "slack.event.received",
  grid_migration_finished: "slack.event.received",
  grid_migration_started: "slack.event.received",
  group_archive: "slack.channel.archived",
  group_close: "slack.event.received",
  group_deleted: "slack.channel.deleted",
  group_history_changed: "slack.event.received",
  group_left: "slack.channel.left",
  group_open: "slack.event.received",
  group_rename: "slack.channel.renamed",
  group_unarchive: "slack.channel.unarchived",
  im_close: "slack.event.received",
  im_created: "slack.channel.created",
  im_history_changed: "slack.event.received",
  im_open: "slack.event.received",
  invite_requested: "slack.event.received",
  link_shared: "slack.event.received",
  member_joined_channel: "slack.member.joined",
  member_left_channel: "slack.member.left",
  message: "slack.message.posted",
  message_metadata_deleted: "slack.event.received",
  message_metadata_posted: "slack.event.received",
  message_metadata_updated: "slack.event.received",
  pin_added: "slack.pin.added",
  pin_removed: "slack.pin.removed",
  reaction_added: "slack.reaction.added",
  reaction_removed: "slack.reaction.removed",
  shared_channel_invite_accepted: "slack.event.received",
  shared_channel_invite_approved: "slack.event.received",
  shared_channel_invite_declined: "slack.event.received",
  shared_channel_invite_received: "slack.event.received",
  shared_channel_invite_requested: "slack.event.received",
  star_added: "slack.event.received",
  star_removed: "slack.event.received",
  subteam_created: "slack.event.received",
  subteam_members_changed: "slack.event.received",
  subteam_self_added: "slack.event.received",
  subteam_self_removed: "slack.event.received",
  subteam_updated: "slack.event.received",
  team_access_granted: "slack.event.received",
  team_access_revoked: "slack.event.received",
  team_domain_change: "slack.event.received",
  team_join: "slack.user.joined",
  team_rename: "slack.event.received",
  tokens_revoked: "slack.event.received",
  user_change: "slack.user.changed",
  user_huddle_changed: "slack.event.received",
  user_profile_changed: "slack.event.received",
  user_status_changed: "slack.event.received",
  workflow_deleted: "slack.event.received",
  workflow_published: "slack.event.received",
  workflow_step_deleted: "slack.event.received",
  workflow_step_execute: "slack.event.received",
  workflow_unpublished: "slack.event.received",
};

/** Whatever any of the events has. */
const ANYTHING = {
  channel: "C1",
  channel_id: "C1",
  file_id: "F1",
  item: { type: "message", channel: "C1", ts: "1700000000.000100" },
  reaction: "eyes",
  text: "hello",
  ts: "1700000000.000100",
  event_ts: "1700000001.234567",
};
const USER_OBJECTS = ["team_join", "user_change"];

Deno.test("events: each that Slack's own types name becomes what the table says, at the time that Slack says", () => {
  for (const [type, expected] of Object.entries(BECOMES)) {
    const user = USER_OBJECTS.includes(type) ? { id: "U1" } : "U1";
    const draft = draftOf({ ...ANYTHING, type, user });
    assert.equal(draft.type, expected, type);
    assert.equal(draft.occurredAt.toISOString(), "2023-11-14T22:13:21.234Z", type);
    assert.deepEqual([draft.payload.teamId, draft.payload.appId], ["T1", "A1"], type);
  }
});

Deno.test("events: a time is the event's, else the envelope's, else that of arrival, to the millisecond", () => {
  const at = (event_ts: unknown, event_time: unknown) =>
    received(json({ ...enveloped({ type: "team_rename", event_ts }), event_time })).drafts[0]?.occurredAt.toISOString();
  assert.equal(at("1531420618.123000", 1), "2018-07-12T18:36:58.123Z");
  assert.equal(at("1531420618.1", 1), "2018-07-12T18:36:58.100Z");
  assert.equal(at(1531420618, 1), "2018-07-12T18:36:58.000Z");
  assert.equal(at(undefined, 1531420618), "2018-07-12T18:36:58.000Z");
  for (const none of ["", "soon", "1e99", "999999999999999", -1, {}, { toString: 1 }, [1], true, null]) {
    assert.equal(at(none, 1531420618), "2018-07-12T18:36:58.000Z");
    assert.equal(at(none, none), RECEIVED_AT.toISOString());
  }
});

Deno.test("events: private channels are told from public ones by their kind", () => {
  const kindOf = (type: string) => {
    const { channel, userId } = payloadOf(draftOf({ type, channel: "C1", actor_id: "U9" }), "slack.channel.left");
    return [channel.kind, userId];
  };
  assert.deepEqual(kindOf("channel_left"), ["channel", "U9"]);
  assert.deepEqual(kindOf("group_left"), ["group", "U9"]);
});

Deno.test("events: a shared channel's names the other workspace", () => {
  const shared = draftOf({ type: "channel_shared", connected_team_id: "T2", channel: "C1" });
  assert.equal(payloadOf(shared, "slack.channel.shared").otherTeamId, "T2");
  const unshared = draftOf({ type: "channel_unshared", previously_connected_team_id: "T3", channel: "C1" });
  assert.equal(payloadOf(unshared, "slack.channel.unshared").otherTeamId, "T3");
});

Deno.test("events: a file's tells all channels that it was in", () => {
  const file = { file_id: "F1", event_ts: "1700000000.000000" };
  const deleted = draftOf({ ...file, type: "file_deleted", channel_ids: ["C1", "C2"] });
  assert.deepEqual(payloadOf(deleted, "slack.file.deleted").channelIds, ["C1", "C2"]);
  assert.deepEqual(deleted.subject, { type: "file", id: "F1" });
  const shared = draftOf({ ...file, type: "file_shared", user_id: "U1", channel_id: "C3" });
  assert.deepEqual(payloadOf(shared, "slack.file.shared").channelIds, ["C3"]);
});

Deno.test("events: reactions and pins concern a message or a file", () => {
  const on = (item: unknown) => draftOf({ type: "reaction_added", user: "U1", reaction: "eyes", item }).subject;
  assert.deepEqual(on({ type: "message", channel: "C1", ts: "1.2" }), { type: "message", id: "C1/1.2" });
  assert.deepEqual(on({ type: "file", file: "F1" }), { type: "file", id: "F1" });
  assert.deepEqual(on({ type: "list" }), { type: "item", id: "list" });
  const file = { type: "file", file: { id: "F2", permalink: "https://acme.slack.com/files/F2" } };
  const pin = draftOf({ type: "pin_removed", user: "U1", channel_id: "C1", item: file });
  assert.deepEqual(pin.subject, { type: "file", id: "F2" });
  assert.equal(payloadOf(pin, "slack.pin.removed").item.permalink, "https://acme.slack.com/files/F2");
});

Deno.test("events: one without a type of its own tells its single values, and no token", () => {
  const draft = draftOf({
    type: "function_executed",
    subtype: "x",
    user: { id: "U7" },
    channel_id: "C7",
    function_execution_id: "Fx1",
    inputs: { secret: "hush" },
    bot_access_token: "xwfp-hush",
    trigger_id: "hush",
    is_new: true,
    count: 3,
    event_ts: "1700000000.000000",
  });
  assert.deepEqual(payloadOf(draft, "slack.event.received"), {
    event: "function_executed",
    subtype: "x",
    userId: "U7",
    channelId: "C7",
    details: { functionExecutionId: "Fx1", isNew: true, count: 3 },
    teamId: "T1",
    appId: "A1",
  });
  assert.deepEqual(draft.subject, { type: "channel", id: "C7" });
  assert.ok(!JSON.stringify(draft).includes("hush"));
});

Deno.test("events: names that mean something to JavaScript do no harm", () => {
  const text = '{"type":"__proto__","__proto__":{"polluted":1},"constructor":"c","toString":"t","event_ts":"1"}';
  const body = JSON.stringify(enveloped("EVENT")).replace('"EVENT"', () => text);
  const [draft] = received(json(JSON.parse(body))).drafts;
  assert.equal(draft?.type, "slack.event.received");
  assert.equal(Object.hasOwn(Object.prototype, "polluted"), false);
});

Deno.test("events: a name of a million underlines is told as it is", () => {
  const name = `a_b${"_".repeat(1_000_000)}`;
  const { details } = payloadOf(draftOf({ type: "added_later", [name]: 1, "c__d": 2 }), "slack.event.received");
  assert.deepEqual(Object.keys(details), [name.replace("a_b", "aB"), "cD"]);
});

Deno.test("events: a workspace that is rate-limited is told with the minute", () => {
  const body = { type: "app_rate_limited", team_id: "T1", minute_rate_limited: 1518467820, api_app_id: "A1" };
  const [draft] = received(json(body)).drafts;
  assert.ok(draft);
  assert.equal(payloadOf(draft, "slack.app.rate_limited").minute, "2018-02-12T20:37:00.000Z");
  assert.deepEqual(draft.subject, { type: "app", id: "A1" });
});
