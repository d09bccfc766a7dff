import { z } from "zod";
import {
  githubChangeSchema,
  githubLabelSchema,
  githubMilestoneSchema,
  githubOrigin,
  githubTeamSchema,
  githubTimeSchema,
  githubUserSchema,
} from "./common.ts";

/** One end of a pull request: `head` is what would be merged, `base` is where it would go. */
export const githubPullRequestEndSchema = z.object({
  ref: z.string().describe("Branch name"),
  sha: z.string(),
  repository: z.string().nullable().describe("owner/name; null if the repository (a fork) was deleted"),
});

/** A pull request. */
export const githubPullRequestSchema = z.object({
  id: z.number(),
  number: z.number().describe("The number that people see, unique within the repository"),
  title: z.string(),
  body: z.string().nullable(),
  state: z.string().describe("open or closed"),
  draft: z.boolean(),
  locked: z.boolean(),
  merged: z.boolean().describe("Whether it was merged; a closed one that is not was turned down"),
  mergeCommitSha: z.string().nullable(),
  mergedBy: githubUserSchema.nullable(),
  author: githubUserSchema.nullable().describe("Null if the account was deleted"),
  authorAssociation: z.string().nullable().describe("What the author is to the repository, such as MEMBER"),
  head: githubPullRequestEndSchema,
  base: githubPullRequestEndSchema,
  labels: z.array(githubLabelSchema),
  assignees: z.array(githubUserSchema),
  requestedReviewers: z.array(githubUserSchema),
  requestedTeams: z.array(githubTeamSchema),
  milestone: githubMilestoneSchema.nullable(),
  commits: z.number().nullable().describe("How many commits; null where GitHub does not tell, as with reviews"),
  additions: z.number().nullable().describe("Lines added; null likewise"),
  deletions: z.number().nullable().describe("Lines deleted; null likewise"),
  changedFiles: z.number().nullable().describe("Files changed; null likewise"),
  url: z.string().nullable(),
  createdAt: githubTimeSchema,
  updatedAt: githubTimeSchema,
  closedAt: githubTimeSchema,
  mergedAt: githubTimeSchema,
});

/** A pull request. */
export type GithubPullRequest = z.output<typeof githubPullRequestSchema>;

/** Payload of `github.pr.*`. The optional fields tell what the action was about, and stand only with it. */
export const githubPrPayloadSchema = z.object({
  pullRequest: githubPullRequestSchema,
  changes: z.object({
    title: githubChangeSchema.optional(),
    body: githubChangeSchema.optional(),
    base: z.object({ ref: githubChangeSchema.optional(), sha: githubChangeSchema.optional() }).optional(),
  }).optional().describe("What an edit replaced: with edited"),
  label: githubLabelSchema.optional().describe("With labeled and unlabeled"),
  assignee: githubUserSchema.optional().describe("With assigned and unassigned"),
  requestedReviewer: githubUserSchema.optional().describe("With review_requested and review_request_removed"),
  requestedTeam: githubTeamSchema.optional().describe("With review_requested and review_request_removed"),
  milestone: githubMilestoneSchema.optional().describe("With milestoned and demilestoned"),
  before: z.string().optional().describe("Head commit before new ones were pushed: with synchronize"),
  after: z.string().optional().describe("Head commit after new ones were pushed: with synchronize"),
  reason: z.string().optional().describe("With dequeued, auto_merge_enabled and auto_merge_disabled"),
  ...githubOrigin,
});

/** Payload of `github.pr.*`. */
export type GithubPrPayload = z.output<typeof githubPrPayloadSchema>;

/** A review of a pull request. */
export const githubReviewSchema = z.object({
  id: z.number(),
  state: z.string().describe("approved, changes_requested, commented, dismissed or pending"),
  body: z.string().nullable(),
  author: githubUserSchema.nullable().describe("Null if the account was deleted"),
  authorAssociation: z.string().nullable(),
  commitSha: z.string().nullable().describe("The commit that was reviewed"),
  url: z.string().nullable(),
  submittedAt: githubTimeSchema,
});

/** A review of a pull request. */
export type GithubReview = z.output<typeof githubReviewSchema>;

/** Payload of `github.pr_review.*`. */
export const githubPrReviewPayloadSchema = z.object({
  review: githubReviewSchema,
  pullRequest: githubPullRequestSchema,
  changes: z.object({ body: githubChangeSchema.optional() }).optional().describe("What an edit replaced: with edited"),
  ...githubOrigin,
});

/** Payload of `github.pr_review.*`. */
export type GithubPrReviewPayload = z.output<typeof githubPrReviewPayloadSchema>;
