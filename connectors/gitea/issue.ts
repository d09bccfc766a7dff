import type {
  GiteaIssue,
  GiteaIssueCommentPayload,
  GiteaIssuePayload,
  GiteaPrPayload,
  GiteaPrReviewPayload,
  GiteaPullRequest,
} from "@inlet/gitea-events";
import { z } from "zod";
import { flag, iso, list, number, present, subject, text, time, type Told } from "../kit/mod.ts";
import { account, envelope, single, user } from "./input.ts";

const label = z.object({ id: number, name: z.string(), color: text })
  .transform(({ id, name, color }) => ({ id: id ?? null, name, color: color || null }));

const milestone = z.object({ id: z.number(), title: z.string(), state: text, due_on: time })
  .transform(({ id, title, state, due_on }) => ({ id, title, state: state || null, dueOn: iso(due_on) })).nullish();

const issuable = {
  id: z.number(),
  number: z.number(),
  title: z.string(),
  body: text,
  state: text,
  is_locked: flag,
  user: account,
  labels: list(label),
  assignees: list(user),
  milestone,
  comments: number,
  html_url: text,
  created_at: time,
  updated_at: time,
  closed_at: time,
} as const;

function essentials(it: z.output<z.ZodObject<typeof issuable>>) {
  return {
    id: it.id,
    number: it.number,
    title: it.title,
    body: it.body ?? null,
    state: it.state ?? null,
    locked: it.is_locked ?? false,
    author: it.user ?? null,
    labels: present(it.labels),
    assignees: present(it.assignees),
    milestone: it.milestone ?? null,
    comments: it.comments ?? null,
    url: it.html_url || null,
    createdAt: iso(it.created_at),
    updatedAt: iso(it.updated_at),
    closedAt: iso(it.closed_at),
  };
}

const issueInput = z.object({ ...issuable, due_date: time, pull_request: z.object({}).nullish() })
  .transform((it): GiteaIssue => ({
    ...essentials(it),
    dueOn: iso(it.due_date),
    isPullRequest: Boolean(it.pull_request),
  }));

// `repo` is null when the fork that a pull request came from was deleted.
const end = z.object({ ref: z.string(), sha: z.string(), repo: z.object({ full_name: z.string() }).nullish() })
  .transform(({ ref, sha, repo }) => ({ ref, sha, repository: repo?.full_name ?? null }));

const pullRequestInput = z.object({
  ...issuable,
  draft: flag,
  merged: flag,
  merge_commit_sha: text,
  merged_by: account,
  merged_at: time,
  head: end,
  base: end,
  requested_reviewers: list(user),
}).transform((it): GiteaPullRequest => ({
  ...essentials(it),
  draft: it.draft ?? false,
  merged: it.merged ?? false,
  mergeCommitSha: it.merge_commit_sha || null,
  mergedBy: it.merged_by ?? null,
  mergedAt: iso(it.merged_at),
  head: it.head,
  base: it.base,
  requestedReviewers: present(it.requested_reviewers),
}));

const change = z.object({ from: text }).transform(({ from }) => ({ from: from ?? null })).nullish();

const changes = z.object({
  title: change,
  body: change,
  ref: change,
  added_labels: list(label),
  removed_labels: list(label),
}).transform(({ title, body, ref, added_labels, removed_labels }) => ({
  ...(title && { title }),
  ...(body && { body }),
  ...(ref && { ref }),
  ...(added_labels && { addedLabels: present(added_labels) }),
  ...(removed_labels && { removedLabels: present(removed_labels) }),
})).nullish();

/** Of a deletion Gitea tells no time: the thing's own times are all from before it. */
function timeOf(it: GiteaIssue | GiteaPullRequest, action: string | null): string | null {
  if (action === "deleted") return null;
  if (action === "opened") return it.createdAt;
  return action === "closed" ? it.closedAt ?? it.updatedAt : it.updatedAt;
}

/** `issues` */
export const issue = single(
  z.object({ ...envelope, issue: issueInput, changes }),
  ({ issue, changes, repository }, { action }): Told<GiteaIssuePayload> => ({
    subject: subject("issue", issue.id, issue.title, issue.url),
    at: timeOf(issue, action),
    payload: { issue, ...(changes && { changes }), repository },
  }),
);

const comment = z.object({
  id: z.number(),
  body: text,
  user: account,
  html_url: text,
  created_at: time,
  updated_at: time,
}).transform((it): GiteaIssueCommentPayload["comment"] => ({
  id: it.id,
  body: it.body ?? null,
  author: it.user ?? null,
  url: it.html_url || null,
  createdAt: iso(it.created_at),
  updatedAt: iso(it.updated_at),
}));

/** `issue_comment`: on an issue, or on a pull request as a whole */
export const issueComment = single(
  z.object({ ...envelope, issue: issueInput, comment, changes, is_pull: flag }),
  ({ issue, comment, changes, is_pull, repository }, { action }): Told<GiteaIssueCommentPayload> => {
    const edited = action === "edited" ? comment.updatedAt : null;
    return {
      subject: subject("issue_comment", comment.id, issue.title, comment.url),
      at: action === "created" ? comment.createdAt : edited,
      payload: {
        comment,
        issue: { ...issue, isPullRequest: issue.isPullRequest || Boolean(is_pull) },
        ...(changes && { changes }),
        repository,
      },
    };
  },
);

/** `pull_request` */
export const pullRequest = single(
  z.object({ ...envelope, pull_request: pullRequestInput, changes, requested_reviewer: account }),
  ({ pull_request, changes, requested_reviewer, repository }, { action }): Told<GiteaPrPayload> => ({
    subject: subject("pr", pull_request.id, pull_request.title, pull_request.url),
    at: timeOf(pull_request, action),
    payload: {
      pullRequest: pull_request,
      ...(changes && { changes }),
      ...(requested_reviewer && { requestedReviewer: requested_reviewer }),
      repository,
    },
  }),
);

/** `pull_request_approved`, `pull_request_rejected` and `pull_request_comment`; the review has neither number nor time */
export const review = single(
  z.object({
    ...envelope,
    pull_request: pullRequestInput,
    review: z.object({ type: text, content: text })
      .transform(({ type, content }) => ({ type: type || null, body: content || null })),
  }),
  ({ review, pull_request, repository }): Told<GiteaPrReviewPayload> => ({
    subject: subject("pr", pull_request.id, pull_request.title, pull_request.url),
    at: null,
    payload: { review, pullRequest: pull_request, repository },
  }),
);
