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
  sha: z.string().describe("The newest commit"),
  repository: z.string().nullable().describe("owner/name; null if the repository (a fork) was deleted"),
});

/** A pull request. */
export const githubPullRequestSchema = z.object({
  id: z.number().describe("GitHub's stable number of the pull request"),
  number: z.number().describe("The number that people see, unique within the repository"),
  title: z.string().describe("The title"),
  body: z.string().nullable().describe("The description, in Markdown"),
  state: z.string().describe("open or closed"),
  draft: z.boolean().describe("Whether it is not ready for review"),
  locked: z.boolean().describe("Whether only collaborators can comment"),
  merged: z.boolean().describe("Whether it was merged; a closed one that is not was turned down"),
  mergeCommitSha: z.string().nullable().describe(
    "The commit that merged it; before that, the one that GitHub tries the merge with",
  ),
  mergedBy: githubUserSchema.nullable().describe("Who merged it"),
  author: githubUserSchema.nullable().describe("Null if the account was deleted"),
  authorAssociation: z.string().nullable().describe("What the author is to the repository, such as MEMBER"),
  head: githubPullRequestEndSchema.describe("What would be merged"),
  base: githubPullRequestEndSchema.describe("Where it would go"),
  labels: z.array(githubLabelSchema).describe("Its labels"),
  assignees: z.array(githubUserSchema).describe("Who is to see to it"),
  requestedReviewers: z.array(githubUserSchema).describe("Who is asked to review it"),
  requestedTeams: z.array(githubTeamSchema).describe("The teams that are asked to review it"),
  milestone: githubMilestoneSchema.nullable().describe("The milestone that it is in"),
  commits: z.number().nullable().describe("How many commits; null where GitHub does not tell, as with reviews"),
  additions: z.number().nullable().describe("Lines added; null likewise"),
  deletions: z.number().nullable().describe("Lines deleted; null likewise"),
  changedFiles: z.number().nullable().describe("Files changed; null likewise"),
  url: z.string().nullable().describe("Its page"),
  createdAt: githubTimeSchema.describe("When it was created"),
  updatedAt: githubTimeSchema.describe("When it was changed last"),
  closedAt: githubTimeSchema.describe("When it was closed; null while it is open"),
  mergedAt: githubTimeSchema.describe("When it was merged; null until then"),
});

/** A pull request. */
export type GithubPullRequest = z.output<typeof githubPullRequestSchema>;

/** Payload of `github.pr.*`. The optional fields tell what the action was about, and stand only with it. */
export const githubPrPayloadSchema = z.object({
  pullRequest: githubPullRequestSchema.describe("The pull request"),
  changes: z.object({
    title: githubChangeSchema.optional().describe("The title before"),
    body: githubChangeSchema.optional().describe("The description before"),
    base: z.object({
      ref: githubChangeSchema.optional().describe("The branch before"),
      sha: githubChangeSchema.optional().describe("The commit before"),
    }).optional().describe("Where it would have gone before"),
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
  id: z.number().describe("GitHub's stable number of the review"),
  state: z.string().describe("approved, changes_requested, commented, dismissed or pending"),
  body: z.string().nullable().describe("What the reviewer says as a whole, in Markdown"),
  author: githubUserSchema.nullable().describe("Null if the account was deleted"),
  authorAssociation: z.string().nullable().describe("What the author is to the repository, such as MEMBER"),
  commitSha: z.string().nullable().describe("The commit that was reviewed"),
  url: z.string().nullable().describe("Its page"),
  submittedAt: githubTimeSchema.describe("When it was sent off"),
});

/** A review of a pull request. */
export type GithubReview = z.output<typeof githubReviewSchema>;

/** Payload of `github.pr_review.*`. */
export const githubPrReviewPayloadSchema = z.object({
  review: githubReviewSchema.describe("The review"),
  pullRequest: githubPullRequestSchema.describe("The pull request"),
  changes: z.object({ body: githubChangeSchema.optional().describe("The text before") }).optional().describe(
    "What an edit replaced: with edited",
  ),
  ...githubOrigin,
});

/** Payload of `github.pr_review.*`. */
export type GithubPrReviewPayload = z.output<typeof githubPrReviewPayloadSchema>;
