// Written by `deno task docs` from the packages there are: a new source changes nothing by hand.
import { type CalendarEvent, calendarPayloadSchemas } from "@inlet/calendar-events";
import { type DeviceEvent, devicePayloadSchemas } from "@inlet/device-events";
import { type EmailEvent, emailPayloadSchemas } from "@inlet/email-events";
import { type GiteaEvent, giteaPayloadSchemas } from "@inlet/gitea-events";
import { type GithubEvent, githubPayloadSchemas } from "@inlet/github-events";
import { type GitlabEvent, gitlabPayloadSchemas } from "@inlet/gitlab-events";
import { type SlackEvent, slackPayloadSchemas } from "@inlet/slack-events";
import { type WebhookEvent, webhookPayloadSchemas } from "@inlet/webhook-events";

export * from "@inlet/calendar-events";
export * from "@inlet/device-events";
export * from "@inlet/email-events";
export * from "@inlet/gitea-events";
export * from "@inlet/github-events";
export * from "@inlet/gitlab-events";
export * from "@inlet/slack-events";
export * from "@inlet/webhook-events";

/** The payload schemas of all event types, by type; of types that a config decides, by the pattern they match. */
export type InletPayloadSchemas =
  & typeof calendarPayloadSchemas
  & typeof devicePayloadSchemas
  & typeof emailPayloadSchemas
  & typeof giteaPayloadSchemas
  & typeof githubPayloadSchemas
  & typeof gitlabPayloadSchemas
  & typeof slackPayloadSchemas
  & typeof webhookPayloadSchemas;

/** The payload schema of every event type; see {@link InletPayloadSchemas}. */
export const payloadSchemas: InletPayloadSchemas = {
  ...calendarPayloadSchemas,
  ...devicePayloadSchemas,
  ...emailPayloadSchemas,
  ...giteaPayloadSchemas,
  ...githubPayloadSchemas,
  ...gitlabPayloadSchemas,
  ...slackPayloadSchemas,
  ...webhookPayloadSchemas,
};

/** Any event that a source of Inlet emits, its payload told by its `type`. */
export type InletEvent =
  | CalendarEvent
  | DeviceEvent
  | EmailEvent
  | GiteaEvent
  | GithubEvent
  | GitlabEvent
  | SlackEvent
  | WebhookEvent;
