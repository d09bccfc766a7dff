import { z } from "zod";
import {
  githubChangeSchema,
  githubLabelSchema,
  githubMilestoneSchema,
  githubOrigin,
  githubTimeSchema,
  githubUserSchema,
} from "./common.ts";

/** An issue. */
export const githubIssueSchema = z.object({
  id: z.number().describe("GitHub's stable number of the issue"),
  number: z.number().describe("The number that people see, unique within the repository"),
  title: z.string().describe("The title"),
  body: z.string().nullable().describe("The text, in Markdown"),
  state: z.string().nullable().describe("open or closed"),
  stateReason: z.string().nullable().describe("Why it is in its state, such as completed or not_planned"),
  locked: z.boolean().describe("Whether only collaborators can comment"),
  author: githubUserSchema.nullable().describe("Null if the account was deleted"),
  authorAssociation: z.string().nullable().describe("What the author is to the repository, such as MEMBER"),
  labels: z.array(githubLabelSchema).describe("Its labels"),
  assignees: z.array(githubUserSchema).describe("Who is to see to it"),
  milestone: githubMilestoneSchema.nullable().describe("The milestone that it is in"),
  type: z.string().nullable().describe("Name of the issue's type, where the organization uses types"),
  comments: z.number().nullable().describe("How many comments it has"),
  isPullRequest: z.boolean().describe("Whether it is a pull request, of which GitHub makes an issue for its comments"),
  url: z.string().nullable().describe("Its page"),
  createdAt: githubTimeSchema.describe("When it was created"),
  updatedAt: githubTimeSchema.describe("When it was changed last"),
  closedAt: githubTimeSchema.describe("When it was closed; null while it is open"),
});

/** An issue. */
export type GithubIssue = z.output<typeof githubIssueSchema>;

/** An issue in another repository, that an issue was transferred from or to. */
export const githubIssueElsewhereSchema = z.object({
  id: z.number().describe("GitHub's stable number of the issue"),
  number: z.number().describe("The number that people see there"),
  url: z.string().nullable().describe("Its page"),
  repository: z.string().nullable().describe("owner/name"),
});

/** An issue in another repository. */
export type GithubIssueElsewhere = z.output<typeof githubIssueElsewhereSchema>;

/** Payload of `github.issue.*`. The optional fields tell what the action was about, and stand only with it. */
export const githubIssuePayloadSchema = z.object({
  issue: githubIssueSchema.describe("The issue"),
  changes: z.object({
    title: githubChangeSchema.optional().describe("The title before"),
    body: githubChangeSchema.optional().describe("The text before"),
  }).optional().describe("What an edit replaced: with edited"),
  label: githubLabelSchema.optional().describe("With labeled and unlabeled"),
  assignee: githubUserSchema.optional().describe("With assigned and unassigned"),
  milestone: githubMilestoneSchema.optional().describe("With milestoned and demilestoned"),
  type: z.string().optional().describe("Name of the issue type: with typed and untyped"),
  transferredTo: githubIssueElsewhereSchema.optional().describe("Where it is now: with transferred"),
  transferredFrom: githubIssueElsewhereSchema.optional().describe("Where it was before: with opened by a transfer"),
  ...githubOrigin,
});

/** Payload of `github.issue.*`. */
export type GithubIssuePayload = z.output<typeof githubIssuePayloadSchema>;

/** A comment on an issue or on a pull request as a whole. */
export const githubCommentSchema = z.object({
  id: z.number().describe("GitHub's stable number of the comment"),
  body: z.string().nullable().describe("What it says, in Markdown"),
  author: githubUserSchema.nullable().describe("Null if the account was deleted"),
  authorAssociation: z.string().nullable().describe("What the author is to the repository, such as MEMBER"),
  url: z.string().nullable().describe("Its page"),
  createdAt: githubTimeSchema.describe("When it was created"),
  updatedAt: githubTimeSchema.describe("When it was changed last"),
});

/** A comment on an issue or on a pull request as a whole. */
export type GithubComment = z.output<typeof githubCommentSchema>;

/** Payload of `github.issue_comment.*`. */
export const githubIssueCommentPayloadSchema = z.object({
  comment: githubCommentSchema.describe("The comment"),
  issue: githubIssueSchema.describe("The issue, or the pull request, that was commented on"),
  changes: z.object({ body: githubChangeSchema.optional().describe("The text before") }).optional().describe(
    "What an edit replaced: with edited",
  ),
  ...githubOrigin,
});

/** Payload of `github.issue_comment.*`. */
export type GithubIssueCommentPayload = z.output<typeof githubIssueCommentPayloadSchema>;
