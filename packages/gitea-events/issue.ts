import { z } from "zod";
import { giteaChangeSchema, giteaOrigin, giteaTimeSchema, giteaUserSchema } from "./common.ts";

const label = z.object({
  id: z.number().nullable().describe("Gitea's number of the label"),
  name: z.string().describe("What the label says"),
  color: z.string().nullable().describe("Six hexadecimal digits, without #"),
});

/** What issues and pull requests have in common. */
const issuable = {
  id: z.number().describe("Gitea's stable number"),
  number: z.number().describe("The number that people see, unique within the repository"),
  title: z.string().describe("The title"),
  body: z.string().nullable().describe("What its author wrote"),
  state: z.string().nullable().describe("open or closed"),
  locked: z.boolean().describe("Whether comments are restricted"),
  author: giteaUserSchema.nullable().describe("Null if the account was deleted"),
  labels: z.array(label).describe("Its labels"),
  assignees: z.array(giteaUserSchema).describe("Who is to see to it"),
  milestone: z.object({
    id: z.number().describe("Gitea's stable number of the milestone"),
    title: z.string().describe("What the milestone is called"),
    state: z.string().nullable().describe("open or closed"),
    dueOn: giteaTimeSchema.describe("When it is due"),
  }).nullable().describe("The milestone it is for"),
  comments: z.number().nullable().describe("How many comments it has"),
  url: z.string().nullable().describe("Its page"),
  createdAt: giteaTimeSchema.describe("When it was created"),
  updatedAt: giteaTimeSchema.describe("When it was changed last"),
  closedAt: giteaTimeSchema.describe("When it was closed; null while it is open"),
};

/** What an edit replaced, or which labels were added and removed. */
const changes = z.object({
  title: giteaChangeSchema.optional().describe("The title before"),
  body: giteaChangeSchema.optional().describe("The text before"),
  ref: giteaChangeSchema.optional().describe("The branch before"),
  addedLabels: z.array(label).optional().describe("With label_updated, where Gitea tells"),
  removedLabels: z.array(label).optional().describe("With label_updated, where Gitea tells"),
}).optional().describe("What an edit replaced: with edited; which labels were changed: with label_updated");

/** An issue. */
export const giteaIssueSchema = z.object({
  ...issuable,
  dueOn: giteaTimeSchema.describe("When it is due"),
  isPullRequest: z.boolean().describe("Whether it is a pull request, of which Gitea makes an issue for its comments"),
});

/** An issue. */
export type GiteaIssue = z.output<typeof giteaIssueSchema>;

/** Payload of `gitea.issue.*`. */
export const giteaIssuePayloadSchema = z.object({
  issue: giteaIssueSchema.describe("The issue"),
  changes,
  ...giteaOrigin,
});

/** Payload of `gitea.issue.*`. */
export type GiteaIssuePayload = z.output<typeof giteaIssuePayloadSchema>;

/** Payload of `gitea.issue_comment.*`. */
export const giteaIssueCommentPayloadSchema = z.object({
  comment: z.object({
    id: z.number().describe("Gitea's stable number of the comment"),
    body: z.string().nullable().describe("What it says"),
    author: giteaUserSchema.nullable().describe("Null if the account was deleted"),
    url: z.string().nullable().describe("Where to read it"),
    createdAt: giteaTimeSchema.describe("When it was created"),
    updatedAt: giteaTimeSchema.describe("When it was changed last"),
  }).describe("The comment"),
  issue: giteaIssueSchema.describe("The issue or pull request that it is on"),
  changes,
  ...giteaOrigin,
});

/** Payload of `gitea.issue_comment.*`. */
export type GiteaIssueCommentPayload = z.output<typeof giteaIssueCommentPayloadSchema>;

/** One end of a pull request. */
const end = z.object({
  ref: z.string().describe("Branch name"),
  sha: z.string().describe("The newest commit"),
  repository: z.string().nullable().describe("owner/name; null if the repository (a fork) was deleted"),
});

/** A pull request. */
export const giteaPullRequestSchema = z.object({
  ...issuable,
  draft: z.boolean().describe("Whether it is not ready to be merged"),
  merged: z.boolean().describe("Whether it was merged; a closed one that is not was turned down"),
  mergeCommitSha: z.string().nullable().describe("The commit that merged it"),
  mergedBy: giteaUserSchema.nullable().describe("Who merged it"),
  head: end.describe("What would be merged"),
  base: end.describe("Where it would go"),
  requestedReviewers: z.array(giteaUserSchema).describe("Who is to review it"),
  mergedAt: giteaTimeSchema.describe("When it was merged"),
});

/** A pull request. */
export type GiteaPullRequest = z.output<typeof giteaPullRequestSchema>;

/** Payload of `gitea.pr.*`. */
export const giteaPrPayloadSchema = z.object({
  pullRequest: giteaPullRequestSchema.describe("The pull request"),
  changes,
  requestedReviewer: giteaUserSchema.optional().describe("With review_requested and review_request_removed"),
  ...giteaOrigin,
});

/** Payload of `gitea.pr.*`. */
export type GiteaPrPayload = z.output<typeof giteaPrPayloadSchema>;

/** Payload of `gitea.pr_review.*`. Who reviewed is the event's actor. */
export const giteaPrReviewPayloadSchema = z.object({
  review: z.object({
    type: z.string().nullable().describe("Gitea's name of the kind, such as pull_request_review_approved"),
    body: z.string().nullable().describe("What the reviewer wrote"),
  }).describe("The review"),
  pullRequest: giteaPullRequestSchema.describe("The pull request"),
  ...giteaOrigin,
});

/** Payload of `gitea.pr_review.*`. */
export type GiteaPrReviewPayload = z.output<typeof giteaPrReviewPayloadSchema>;
