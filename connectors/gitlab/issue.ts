import type {
  GitlabIssue,
  GitlabIssuePayload,
  GitlabPrPayload,
  GitlabPullRequest,
  GitlabWorkItemPayload,
} from "@inlet/gitlab-events";
import { z } from "zod";
import { flag, iso, list, number, present, subject, text, time, type Told } from "../kit/mod.ts";
import { type Context, envelope, label, project, single, user } from "./input.ts";

const issuable = {
  id: z.number(),
  iid: z.number(),
  title: z.string(),
  description: text,
  state: text,
  author_id: number,
  labels: list(label),
  url: text,
  created_at: time,
  updated_at: time,
} as const;

type Issuable = z.output<z.ZodObject<typeof issuable>>;

function essentials(it: Issuable) {
  return {
    id: it.id,
    number: it.iid,
    title: it.title,
    body: it.description ?? null,
    state: it.state ?? null,
    authorId: it.author_id ?? null,
    labels: present(it.labels),
    // They stand beside the main object, and nowhere with comments.
    assignees: [],
    url: it.url ?? null,
    createdAt: iso(it.created_at),
    updatedAt: iso(it.updated_at),
  };
}

/** An issue or another work item, as far as both its own events and those of its comments tell. */
export const issueInput = z.object({
  ...issuable,
  type: text,
  confidential: flag,
  due_date: text,
  closed_at: time,
}).transform((it): GitlabIssue => ({
  ...essentials(it),
  type: it.type ?? null,
  confidential: it.confidential ?? false,
  dueOn: it.due_date ?? null,
  closedAt: iso(it.closed_at),
}));

// The project of a source branch is null when the fork was deleted.
const end = z.object({ path_with_namespace: z.string() }).nullish();

/** A merge request, as far as both its own events and those of its comments tell. */
export const pullRequestInput = z.object({
  ...issuable,
  draft: flag,
  work_in_progress: flag,
  merge_commit_sha: text,
  merged_at: time,
  detailed_merge_status: text,
  source_branch: z.string(),
  target_branch: z.string(),
  source: end,
  target: end,
  last_commit: z.object({ id: z.string() }).nullish(),
}).transform((it): GitlabPullRequest => ({
  ...essentials(it),
  // Its former name.
  draft: it.draft ?? it.work_in_progress ?? false,
  merged: it.state === "merged",
  mergeCommitSha: it.merge_commit_sha ?? null,
  mergedAt: iso(it.merged_at),
  mergeStatus: it.detailed_merge_status ?? null,
  head: { ref: it.source_branch, sha: it.last_commit?.id ?? null, repository: it.source?.path_with_namespace ?? null },
  base: { ref: it.target_branch, sha: null, repository: it.target?.path_with_namespace ?? null },
  reviewers: [],
}));

const reviewer = z.object({ state: text }).and(user).transform(({ state, ...it }) => ({ ...it, state: state ?? null }));

const beside = { ...envelope, assignees: list(user), changes: z.record(z.string(), z.unknown()).nullish().catch(null) };

const changedIn = (changes: Record<string, unknown> | null | undefined) => Object.keys(changes ?? {}).sort();

const issueBody = z.object({ ...beside, object_attributes: issueInput });
// An epic is of a group, and of no project.
const workItemBody = issueBody.extend({ project: project.nullish() });

function tellIssue(
  { object_attributes, assignees, changes }: z.output<typeof workItemBody>,
  { action, kind }: Context,
): Told<Omit<GitlabIssuePayload, "repository">> {
  const issue = { ...object_attributes, assignees: present(assignees) };
  const { id, title, url, createdAt, closedAt, updatedAt } = issue;
  const ended = action === "close" ? closedAt : null;
  return {
    subject: subject(kind, id, title, url),
    at: action === "open" ? createdAt : ended ?? updatedAt,
    payload: { issue, changed: changedIn(changes) },
  };
}

/** https://docs.gitlab.com/user/project/integrations/webhook_events/#work-item-events */
export const issue = single(issueBody, (body, context): Told<GitlabIssuePayload> => {
  const { payload, ...told } = tellIssue(body, context);
  return { ...told, payload: { ...payload, repository: body.project } };
});

/** {@link issue} of what is no issue: a task, say, or an epic. */
export const workItem = single(workItemBody, (body, context): Told<GitlabWorkItemPayload> => {
  const { payload, ...told } = tellIssue(body, context);
  return { ...told, payload: { ...payload, ...(body.project && { repository: body.project }) } };
});

/** https://docs.gitlab.com/user/project/integrations/webhook_events/#merge-request-events */
export const pullRequest = single(
  z.object({
    ...beside,
    reviewers: list(reviewer),
    // The rest of the main object, which the transformed one does not hold.
    object_attributes: z.object({ oldrev: text, actioned_at: time }).and(pullRequestInput),
  }),
  ({ object_attributes: { oldrev, actioned_at, ...own }, assignees, reviewers, changes, project }, { action }) => {
    const pullRequest = { ...own, assignees: present(assignees), reviewers: present(reviewers) };
    const { id, title, url, createdAt, updatedAt } = pullRequest;
    const payload: GitlabPrPayload = {
      pullRequest,
      changed: changedIn(changes),
      before: oldrev ?? null,
      repository: project,
    };
    // Older versions do not tell when it was done; an approval need not change the merge request.
    const at = iso(actioned_at) ?? (action === "open" ? createdAt : updatedAt);
    return { subject: subject("pr", id, title, url), at, payload };
  },
);
