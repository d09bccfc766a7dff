/** The event types that the Slack connector can emit, by name. The list is closed. */
export const SlackEventType = {
  ACTION_TRIGGERED: "slack.action.triggered",
  APP_RATE_LIMITED: "slack.app.rate_limited",
  CHANNEL_ARCHIVED: "slack.channel.archived",
  CHANNEL_CREATED: "slack.channel.created",
  CHANNEL_DELETED: "slack.channel.deleted",
  CHANNEL_LEFT: "slack.channel.left",
  CHANNEL_RENAMED: "slack.channel.renamed",
  CHANNEL_SHARED: "slack.channel.shared",
  CHANNEL_UNARCHIVED: "slack.channel.unarchived",
  CHANNEL_UNSHARED: "slack.channel.unshared",
  COMMAND_INVOKED: "slack.command.invoked",
  DIALOG_SUBMITTED: "slack.dialog.submitted",
  EVENT_RECEIVED: "slack.event.received",
  FILE_CHANGED: "slack.file.changed",
  FILE_CREATED: "slack.file.created",
  FILE_DELETED: "slack.file.deleted",
  FILE_PUBLISHED: "slack.file.published",
  FILE_SHARED: "slack.file.shared",
  FILE_UNSHARED: "slack.file.unshared",
  MEMBER_JOINED: "slack.member.joined",
  MEMBER_LEFT: "slack.member.left",
  MENTION_RECEIVED: "slack.mention.received",
  MESSAGE_DELETED: "slack.message.deleted",
  MESSAGE_EDITED: "slack.message.edited",
  MESSAGE_POSTED: "slack.message.posted",
  NOTICE_POSTED: "slack.notice.posted",
  PIN_ADDED: "slack.pin.added",
  PIN_REMOVED: "slack.pin.removed",
  REACTION_ADDED: "slack.reaction.added",
  REACTION_REMOVED: "slack.reaction.removed",
  SHORTCUT_TRIGGERED: "slack.shortcut.triggered",
  USER_CHANGED: "slack.user.changed",
  USER_JOINED: "slack.user.joined",
  VIEW_CLOSED: "slack.view.closed",
  VIEW_SUBMITTED: "slack.view.submitted",
} as const;

/** Any event type that the Slack connector can emit, such as `"slack.message.posted"`. */
export type SlackEventType = (typeof SlackEventType)[keyof typeof SlackEventType];

/** Every event type that the Slack connector can emit, sorted. */
export const slackEventTypes: readonly SlackEventType[] = Object.values(SlackEventType).sort();

const known = new Set<string>(slackEventTypes);

/** Tells whether a type is one that the Slack connector of this version can emit. */
export function isSlackEventType(type: string): type is SlackEventType {
  return known.has(type);
}
