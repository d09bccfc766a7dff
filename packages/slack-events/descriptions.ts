import type { SlackEventType } from "./types.ts";

/**
 * What each event type means, in a sentence: what has happened, and when it comes. After
 * https://docs.slack.dev/reference/events and https://docs.slack.dev/reference/interaction-payloads.
 */
export const slackEventDescriptions: Readonly<Record<SlackEventType, string>> = {
  "slack.action.triggered": "Somebody used a button, a menu or another element that the app showed.",
  "slack.app.rate_limited":
    "Slack held events back, because the app had more than 30,000 in an hour: what happened meanwhile does not come.",
  "slack.channel.archived": "A channel was archived.",
  "slack.channel.created": "A public channel was created.",
  "slack.channel.deleted": "A channel was deleted.",
  "slack.channel.left": "The app, or the user who installed it, left a channel.",
  "slack.channel.renamed": "A channel was renamed.",
  "slack.channel.shared": "A channel was shared with another workspace by Slack Connect.",
  "slack.channel.unarchived": "An archived channel was opened again.",
  "slack.channel.unshared": "A channel is no longer shared with another workspace.",
  "slack.command.invoked": "Somebody typed one of the app's slash commands.",
  "slack.dialog.submitted": "Somebody sent off one of the app's dialogs, which Slack had before modals.",
  "slack.event.received": "Slack sent something that has no type of its own here; payload.event names it.",
  "slack.file.changed": "A file was changed, such as its title.",
  "slack.file.created": "A file was uploaded, and need not be shared with anybody yet.",
  "slack.file.deleted": "A file was deleted.",
  "slack.file.published": "A file was made public by somebody.",
  "slack.file.shared": "A file was shared in a conversation.",
  "slack.file.unshared": "A file was taken out of a conversation.",
  "slack.member.joined": "Somebody, or the app itself, joined a channel.",
  "slack.member.left": "Somebody, or the app itself, left a channel or was removed from it.",
  "slack.mention.received":
    "Somebody mentioned the app in a message; if it reads the channel, a message.posted comes too.",
  "slack.message.deleted": "A message was deleted.",
  "slack.message.edited": "A message was changed: by its author, or by Slack, as when it unfurls a link.",
  "slack.message.posted": "Somebody or a bot wrote a message, in a channel, a thread or a direct message.",
  "slack.notice.posted": "Slack wrote a line into a conversation, such as that somebody joined or set the topic.",
  "slack.pin.added": "Something was pinned to a channel.",
  "slack.pin.removed": "Something is no longer pinned to a channel.",
  "slack.reaction.added": "Somebody reacted to a message or a file with an emoji.",
  "slack.reaction.removed": "Somebody took a reaction back.",
  "slack.shortcut.triggered": "Somebody used one of the app's shortcuts, from a message or from anywhere.",
  "slack.user.changed": "A user's profile, name, status or role was changed.",
  "slack.user.joined": "Somebody joined the Slack workspace.",
  "slack.view.closed": "Somebody closed one of the app's modals without sending it off.",
  "slack.view.submitted": "Somebody sent off one of the app's modals.",
};
