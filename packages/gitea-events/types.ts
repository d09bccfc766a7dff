import { type EventTypeConstants, eventTypeConstants, type EventTypeOf, payloadSchemasOf } from "@inlet/events-core";
import type { EventOf, PayloadSchemasOf } from "@inlet/events-core";
import type { z } from "zod";
import {
  giteaIssueCommentPayloadSchema,
  giteaIssuePayloadSchema,
  giteaPrPayloadSchema,
  giteaPrReviewPayloadSchema,
} from "./issue.ts";
import { giteaCommitPayloadSchema, giteaRefChangePayloadSchema, giteaRefPayloadSchema } from "./push.ts";
import {
  giteaForkPayloadSchema,
  giteaGenericPayloadSchema,
  giteaReleasePayloadSchema,
  giteaWikiPayloadSchema,
} from "./repository.ts";

const changedRef = ["created", "deleted", "updated"] as const;

/** What can happen to issues and to pull requests alike. */
const issue = [
  "assigned",
  "closed",
  "deleted",
  "demilestoned",
  "edited",
  "label_cleared",
  "label_updated",
  "milestoned",
  "opened",
  "reopened",
  "unassigned",
] as const;

/**
 * Every entity that the Gitea connector tells of, with what can happen to it: in Gitea's and Forgejo's own words
 * (modules/structs/hook.go and modules/webhook in their sources), except that a pull request is `pr`.
 */
export const GITEA_ACTIONS = {
  action_run: ["failure", "recover", "success"],
  branch: changedRef,
  commit: ["pushed"],
  event: ["received"],
  fork: ["created"],
  issue,
  issue_comment: ["created", "deleted", "edited"],
  package: ["created", "deleted"],
  pr: [...issue, "review_request_removed", "review_requested", "synchronized"],
  pr_review: ["approved", "commented", "rejected"],
  ref: ["created", "deleted"],
  release: ["deleted", "published", "updated"],
  repository: ["created", "deleted"],
  status: ["updated"],
  tag: changedRef,
  wiki: ["created", "deleted", "edited"],
  workflow_job: ["completed", "in_progress", "queued", "waiting"],
  workflow_run: ["completed", "in_progress", "requested"],
} as const;

/** Any event type that the Gitea connector can emit, such as `"gitea.pr.opened"`. The list is closed. */
export type GiteaEventType = EventTypeOf<"gitea", typeof GITEA_ACTIONS>;

/**
 * The event types by name: `GiteaEventType.PR_OPENED` is `"gitea.pr.opened"`. `GiteaEventType.EVENT_RECEIVED` stands for
 * what Gitea or Forgejo add after this version of the package.
 */
export const GiteaEventType: EventTypeConstants<GiteaEventType> = eventTypeConstants("gitea", GITEA_ACTIONS);

/** Every event type that the Gitea connector can emit, sorted. */
export const giteaEventTypes: readonly GiteaEventType[] = Object.values(GiteaEventType).sort();

const known = new Set<string>(giteaEventTypes);

/** Tells whether a type is one that the Gitea connector of this version can emit. */
export function isGiteaEventType(type: string): type is GiteaEventType {
  return known.has(type);
}

const byEntity = {
  branch: giteaRefPayloadSchema,
  commit: giteaCommitPayloadSchema,
  fork: giteaForkPayloadSchema,
  issue: giteaIssuePayloadSchema,
  issue_comment: giteaIssueCommentPayloadSchema,
  pr: giteaPrPayloadSchema,
  pr_review: giteaPrReviewPayloadSchema,
  ref: giteaRefChangePayloadSchema,
  release: giteaReleasePayloadSchema,
  tag: giteaRefPayloadSchema,
  wiki: giteaWikiPayloadSchema,
} as const;

type Schemas = PayloadSchemasOf<GiteaEventType, typeof byEntity, typeof giteaGenericPayloadSchema>;

/** The payload schema of every event type. They strip what they do not know. */
export const giteaPayloadSchemas: Schemas = payloadSchemasOf(giteaEventTypes, byEntity, giteaGenericPayloadSchema);

/** The payload of one event type: `GiteaPayload<"gitea.pr.opened">` has a `pullRequest`. */
export type GiteaPayload<Type extends GiteaEventType> = z.output<Schemas[Type]>;

/** Any event of the Gitea connector, its payload told by its `type`. */
export type GiteaEvent = EventOf<typeof giteaPayloadSchemas>;
