import assert from "node:assert/strict";
import type {
  BotMessageEvent,
  ChannelNameMessageEvent,
  ChannelTopicMessageEvent,
  GenericMessageEvent,
  MessageChangedEvent,
  MessageDeletedEvent,
  MessageEvent,
  ThreadBroadcastMessageEvent,
} from "@slack/types";
import { draftOf, payloadOf } from "./testing.ts";

// Typed as Slack's own package types them, so that what is tested is what Slack says it sends.

const place = { type: "message", channel: "C1", channel_type: "channel", event_ts: "1700000100.000000" } as const;
const plain: GenericMessageEvent = {
  ...place,
  subtype: undefined,
  user: "U1",
  text: "a &lt; b",
  ts: "1700000000.000100",
};

Deno.test("message: what people and bots write is posted, with its subtype", () => {
  const bot: BotMessageEvent = {
    ...place,
    subtype: "bot_message",
    ts: "1.1",
    text: "beep",
    bot_id: "B1",
    username: "R2",
  };
  const broadcast: ThreadBroadcastMessageEvent = {
    ...place,
    subtype: "thread_broadcast",
    text: "to all",
    user: "U1",
    ts: "1.2",
    thread_ts: "1.0",
    client_msg_id: "x",
    root: {
      ...plain,
      thread_ts: "1.0",
      reply_count: 1,
      reply_users_count: 1,
      latest_reply: "1.2",
      reply_users: ["U1"],
    },
  };
  const me: MessageEvent = { ...place, subtype: "me_message", user: "U1", text: "waves", ts: "1.3" };
  for (const event of [plain, bot, broadcast, me]) {
    const draft = draftOf(event);
    const { message, channelId, channelType } = payloadOf(draft, "slack.message.posted");
    assert.equal(message.subtype, event.subtype ?? null);
    assert.equal(message.text, event.text);
    assert.deepEqual([channelId, channelType], ["C1", "channel"]);
    assert.deepEqual(draft.subject, { type: "message", id: `C1/${event.ts}` });
  }
  assert.equal(payloadOf(draftOf(broadcast), "slack.message.posted").message.threadTs, "1.0");
  assert.deepEqual(draftOf(bot).actor, { type: "bot", id: "B1", name: "R2" });
  assert.deepEqual(draftOf(plain).actor, { type: "user", id: "U1" });
});

Deno.test("message: a message of an app's user is its bot's, under the bot's name", () => {
  const profile = { id: "B1", name: "Rover", app_id: "A1", team_id: "T1", icons: {}, updated: 1, deleted: false };
  const draft = draftOf({ ...plain, bot_id: "B1", bot_profile: profile });
  assert.deepEqual(draft.actor, { type: "bot", id: "B1", name: "Rover" });
  assert.equal(payloadOf(draft, "slack.message.posted").message.userId, "U1");
});

Deno.test("message: a line of Slack's own is a notice, and so is a subtype that nobody knows yet", () => {
  const name: ChannelNameMessageEvent = {
    ...place,
    subtype: "channel_name",
    team: "T1",
    user: "U1",
    name: "new",
    old_name: "old",
    text: "renamed",
    ts: "1.1",
  };
  const topic: ChannelTopicMessageEvent = {
    ...place,
    subtype: "channel_topic",
    user: "U1",
    text: "set the topic",
    topic: "beds",
    ts: "1.2",
  };
  const told = payloadOf(draftOf(name), "slack.notice.posted");
  assert.deepEqual([told.subtype, told.name, told.oldName], ["channel_name", "new", "old"]);
  assert.equal(payloadOf(draftOf(topic), "slack.notice.posted").topic, "beds");
  const later = draftOf({ ...place, subtype: "added_later", ts: "1.3" });
  assert.equal(payloadOf(later, "slack.notice.posted").subtype, "added_later");
  assert.deepEqual(later.subject, { type: "channel", id: "C1" });
  assert.deepEqual(later.actor, { type: "system", id: "slack", name: "Slack" });
});

function changed(message: MessageEvent, previous_message: MessageEvent): MessageChangedEvent {
  return { ...place, subtype: "message_changed", hidden: true, ts: "1700000100.000000", message, previous_message };
}

Deno.test("message: an edit tells who, when, what it is and what it was", () => {
  const edited = { ...plain, text: "a &gt; b", edited: { user: "U2", ts: "1700000099.000000" } };
  const draft = draftOf(changed(edited, plain));
  const { message, previous } = payloadOf(draft, "slack.message.edited");
  assert.deepEqual([message.text, previous?.text], ["a &gt; b", "a &lt; b"]);
  assert.deepEqual(message.edited, { userId: "U2", ts: "1700000099.000000" });
  assert.deepEqual(draft.actor, { type: "user", id: "U2" });
  assert.deepEqual(draft.subject, { type: "message", id: "C1/1700000000.000100" });
  assert.equal(draft.occurredAt.toISOString(), "2023-11-14T22:15:00.000Z");
});

Deno.test("message: a change by nobody's hand, such as an unfurled link, is Slack's", () => {
  const edited = { ...plain, edited: { user: "U2", ts: "1700000099.000000" } };
  const unfurled = { attachments: [{ title: "A page", title_link: "https://example.com", fallback: "A page" }] };
  for (const before of [plain, edited]) {
    const draft = draftOf(changed({ ...before, ...unfurled }, before));
    assert.equal(draft.actor.type, "system");
    assert.equal(payloadOf(draft, "slack.message.edited").message.attachments[0]?.titleLink, "https://example.com");
  }
});

Deno.test("message: a deletion names the message and what it was, and nobody who did it", () => {
  const deleted: MessageDeletedEvent = {
    ...place,
    subtype: "message_deleted",
    hidden: true,
    ts: "1700000100.000000",
    deleted_ts: plain.ts,
    previous_message: plain,
  };
  const draft = draftOf(deleted);
  const { ts, previous } = payloadOf(draft, "slack.message.deleted");
  assert.deepEqual([ts, previous?.text], [plain.ts, plain.text]);
  assert.equal(draft.actor.type, "system");
  assert.deepEqual(draft.subject, { type: "message", id: `C1/${plain.ts}` });
});

Deno.test("message: one of which a tombstone is left, for its thread goes on, is deleted", () => {
  const tombstone = {
    type: "message",
    subtype: "tombstone",
    user: "USLACKBOT",
    text: "This message was deleted.",
    ts: plain.ts,
  };
  const draft = draftOf({ ...changed(plain, plain), message: tombstone });
  assert.equal(payloadOf(draft, "slack.message.deleted").previous?.text, plain.text);
});

Deno.test("message: files and attachments are told, also those of which Slack gives an id only", () => {
  const files = [
    { id: "F1", name: "a.png", mimetype: "image/png", size: 3, url_private: "https://files.slack.com/a" },
    {
      id: "F2",
      file_access: "check_file_info",
    },
  ];
  const { message } = payloadOf(draftOf({ ...plain, subtype: "file_share", files }), "slack.message.posted");
  assert.deepEqual(message.files.map(({ id, name, size }) => [id, name, size]), [["F1", "a.png", 3], [
    "F2",
    null,
    null,
  ]]);
});
