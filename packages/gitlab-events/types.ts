import { type EventTypeConstants, eventTypeConstants, type EventTypeOf, payloadSchemasOf } from "@inlet/events-core";
import type { EventOf, PayloadSchemasOf } from "@inlet/events-core";
import type { z } from "zod";
import {
  gitlabCommentPayloadSchema,
  gitlabIssuePayloadSchema,
  gitlabPrPayloadSchema,
  gitlabWorkItemPayloadSchema,
} from "./issue.ts";
import { gitlabDeploymentPayloadSchema, gitlabJobPayloadSchema, gitlabPipelinePayloadSchema } from "./pipeline.ts";
import { gitlabCommitPayloadSchema, gitlabRefPayloadSchema } from "./push.ts";
import { gitlabGenericPayloadSchema, gitlabReleasePayloadSchema, gitlabWikiPayloadSchema } from "./release.ts";

const changedRef = ["created", "deleted", "updated"] as const;
const comment = ["created", "updated"] as const;
const workItem = ["closed", "opened", "reopened", "updated"] as const;

/** The statuses of jobs (https://docs.gitlab.com/ci/jobs/), which pipelines share but for a few that they never have. */
const status = [
  "canceled",
  "canceling",
  "created",
  "failed",
  "manual",
  "pending",
  "preparing",
  "running",
  "scheduled",
  "skipped",
  "success",
  "waiting_for_callback",
  "waiting_for_resource",
] as const;

/**
 * Every entity that the GitLab connector tells of, with what can happen to it. From
 * https://docs.gitlab.com/user/project/integrations/webhook_events/: a merge request is `pr` and a project `repository`,
 * as other hosts of code say; GitLab's verbs stand in the past tense, and its statuses as they are.
 */
export const GITLAB_ACTIONS = {
  access_token: ["expiring"],
  branch: changedRef,
  commit: ["pushed"],
  commit_comment: comment,
  deploy_token: ["expiring"],
  deployment: ["approved", "blocked", "canceled", "created", "failed", "rejected", "running", "skipped", "success"],
  emoji: ["awarded", "revoked"],
  event: ["received"],
  feature_flag: ["disabled", "enabled"],
  issue: workItem,
  issue_comment: comment,
  job: status,
  member: ["access_denied", "access_requested", "added", "removed", "updated"],
  milestone: ["closed", "created", "deleted", "reopened", "updated"],
  pipeline: status,
  pr: [
    "approval_added",
    "approval_removed",
    "approved",
    "closed",
    "merged",
    "opened",
    "reopened",
    "unapproved",
    "updated",
  ],
  pr_comment: comment,
  release: ["created", "deleted", "updated"],
  repository: ["created", "deleted"],
  snippet_comment: comment,
  subgroup: ["created", "deleted"],
  tag: changedRef,
  vulnerability: ["confirmed", "detected", "dismissed", "resolved"],
  wiki: ["created", "deleted", "updated"],
  work_item: workItem,
} as const;

/** Any event type that the GitLab connector can emit, such as `"gitlab.pr.merged"`. The list is closed. */
export type GitlabEventType = EventTypeOf<"gitlab", typeof GITLAB_ACTIONS>;

/**
 * The event types by name: `GitlabEventType.PR_MERGED` is `"gitlab.pr.merged"`. `GitlabEventType.EVENT_RECEIVED` stands
 * for what GitLab adds after this version of the package.
 */
export const GitlabEventType: EventTypeConstants<GitlabEventType> = eventTypeConstants("gitlab", GITLAB_ACTIONS);

/** Every event type that the GitLab connector can emit, sorted. */
export const gitlabEventTypes: readonly GitlabEventType[] = Object.values(GitlabEventType).sort();

const known = new Set<string>(gitlabEventTypes);

/** Tells whether a type is one that the GitLab connector of this version can emit. */
export function isGitlabEventType(type: string): type is GitlabEventType {
  return known.has(type);
}

const byEntity = {
  branch: gitlabRefPayloadSchema,
  commit: gitlabCommitPayloadSchema,
  commit_comment: gitlabCommentPayloadSchema,
  deployment: gitlabDeploymentPayloadSchema,
  issue: gitlabIssuePayloadSchema,
  issue_comment: gitlabCommentPayloadSchema,
  job: gitlabJobPayloadSchema,
  pipeline: gitlabPipelinePayloadSchema,
  pr: gitlabPrPayloadSchema,
  pr_comment: gitlabCommentPayloadSchema,
  release: gitlabReleasePayloadSchema,
  snippet_comment: gitlabCommentPayloadSchema,
  tag: gitlabRefPayloadSchema,
  wiki: gitlabWikiPayloadSchema,
  work_item: gitlabWorkItemPayloadSchema,
} as const;

type Schemas = PayloadSchemasOf<GitlabEventType, typeof byEntity, typeof gitlabGenericPayloadSchema>;

/** The payload schema of every event type. They strip what they do not know. */
export const gitlabPayloadSchemas: Schemas = payloadSchemasOf(gitlabEventTypes, byEntity, gitlabGenericPayloadSchema);

/** The payload of one event type: `GitlabPayload<"gitlab.pr.merged">` has a `pullRequest`. */
export type GitlabPayload<Type extends GitlabEventType> = z.output<Schemas[Type]>;

/** Any event of the GitLab connector, its payload told by its `type`. */
export type GitlabEvent = EventOf<typeof gitlabPayloadSchemas>;
