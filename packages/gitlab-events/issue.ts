import { z } from "zod";
import {
  gitlabCommitSchema,
  gitlabLabelSchema,
  gitlabOrigin,
  gitlabRepositorySchema,
  gitlabTimeSchema,
  gitlabUserSchema,
} from "./common.ts";

/** What issues and merge requests have in common. */
const issuable = {
  id: z.number().describe("GitLab's stable number"),
  number: z.number().describe(
    "The number that people see, unique within the project, or the group of an epic; GitLab calls it iid",
  ),
  title: z.string().describe("The title"),
  body: z.string().nullable().describe("The description"),
  state: z.string().nullable().describe("opened, closed, merged or locked; null where GitLab leaves it out"),
  authorId: z.number().nullable().describe("Number of the account that opened it"),
  labels: z.array(gitlabLabelSchema).describe("Its labels"),
  assignees: z.array(gitlabUserSchema).describe("Who is to see to it"),
  url: z.string().nullable().describe("Its page"),
  createdAt: gitlabTimeSchema.describe("When it was created"),
  updatedAt: gitlabTimeSchema.describe("When it was changed last"),
};

/** What an update changed. */
const changed = z.array(z.string()).describe("What changed, by GitLab's names of it, such as title or labels; sorted");

/** An issue, an incident, a task, an epic or another work item. */
export const gitlabIssueSchema = z.object({
  ...issuable,
  type: z.string().nullable().describe("Issue, Incident, Task, Epic or what else GitLab says"),
  confidential: z.boolean().describe("Whether only members of the project see it"),
  dueOn: z.string().nullable().describe("A date, such as 2026-03-31"),
  closedAt: gitlabTimeSchema.describe("When it was closed; null while it is open"),
});

/** An issue or another work item. */
export type GitlabIssue = z.output<typeof gitlabIssueSchema>;

/** Payload of `gitlab.issue.*`. */
export const gitlabIssuePayloadSchema = z.object({
  issue: gitlabIssueSchema.describe("The issue"),
  changed,
  ...gitlabOrigin,
});

/** Payload of `gitlab.issue.*`. */
export type GitlabIssuePayload = z.output<typeof gitlabIssuePayloadSchema>;

/** Payload of `gitlab.work_item.*`. */
export const gitlabWorkItemPayloadSchema = z.object({
  issue: gitlabIssueSchema.describe("The work item"),
  changed,
  repository: gitlabRepositorySchema.optional().describe("The project it happened in; none for an epic, a group's own"),
});

/** Payload of `gitlab.work_item.*`. */
export type GitlabWorkItemPayload = z.output<typeof gitlabWorkItemPayloadSchema>;

/** One end of a merge request. */
const end = z.object({
  ref: z.string().describe("Branch name"),
  sha: z.string().nullable().describe("The newest commit, where GitLab tells it"),
  repository: z.string().nullable().describe("group/project; null if it (a fork) was deleted"),
});

/** A merge request, by the name that other hosts give it, so that one consumer can read all. */
export const gitlabPullRequestSchema = z.object({
  ...issuable,
  draft: z.boolean().describe("Whether it is not ready to be merged"),
  merged: z.boolean().describe("Whether it was merged"),
  mergeCommitSha: z.string().nullable().describe("The commit that merged it"),
  mergedAt: gitlabTimeSchema.describe("When it was merged, where GitLab tells"),
  mergeStatus: z.string().nullable().describe("Whether it can be merged, in GitLab's detailed words"),
  head: end.describe("What would be merged"),
  base: end.describe("Where it would go"),
  reviewers: z.array(gitlabUserSchema.extend({
    state: z.string().nullable()
      .describe("How far the review is, such as unreviewed, reviewed, requested_changes or approved"),
  })).describe("Who is to review it"),
});

/** A merge request. */
export type GitlabPullRequest = z.output<typeof gitlabPullRequestSchema>;

/** Payload of `gitlab.pr.*`. */
export const gitlabPrPayloadSchema = z.object({
  pullRequest: gitlabPullRequestSchema.describe("The pull request"),
  changed,
  before: z.string().nullable().describe(
    "The head commit before new ones were pushed, with an update that pushed some",
  ),
  ...gitlabOrigin,
});

/** Payload of `gitlab.pr.*`. */
export type GitlabPrPayload = z.output<typeof gitlabPrPayloadSchema>;

/** A comment, which GitLab calls a note. */
export const gitlabCommentSchema = z.object({
  id: z.number().describe("GitLab's stable number of the comment"),
  body: z.string().nullable().describe("What it says"),
  authorId: z.number().nullable().describe("Number of the account that wrote it"),
  system: z.boolean().describe("Whether GitLab itself wrote it"),
  internal: z.boolean().describe(
    "Whether only members of the project see it; those on a confidential issue are not for others either",
  ),
  url: z.string().nullable().describe("Where to read it"),
  createdAt: gitlabTimeSchema.describe("When it was created"),
  updatedAt: gitlabTimeSchema.describe("When it was changed last"),
});

/** A comment. */
export type GitlabComment = z.output<typeof gitlabCommentSchema>;

/** A snippet of code. */
export const gitlabSnippetSchema = z.object({
  id: z.number().describe("GitLab's stable number of the snippet"),
  title: z.string().describe("The title"),
  fileName: z.string().nullable().describe("Name of its file"),
  url: z.string().nullable().describe("Its page"),
});

/** A snippet of code. */
export type GitlabSnippet = z.output<typeof gitlabSnippetSchema>;

/** Payload of `gitlab.issue_comment.*`, `.pr_comment.*`, `.commit_comment.*` and `.snippet_comment.*`. */
export const gitlabCommentPayloadSchema = z.object({
  comment: gitlabCommentSchema.describe("The comment"),
  issue: gitlabIssueSchema.optional().describe("With issue_comment"),
  pullRequest: gitlabPullRequestSchema.optional().describe("With pr_comment"),
  commit: gitlabCommitSchema.optional().describe("With commit_comment"),
  snippet: gitlabSnippetSchema.optional().describe("With snippet_comment"),
  ...gitlabOrigin,
});

/** Payload of all comments' events. */
export type GitlabCommentPayload = z.output<typeof gitlabCommentPayloadSchema>;
