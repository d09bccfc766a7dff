import type { GithubPullRequest } from "@inlet/github-events";
import { z } from "zod";
import { flag, iso, list, number, present, text, time } from "../kit/mod.ts";
import { account, label, milestone, team, user } from "./input.ts";

// `repo` is null when the fork that a pull request came from was deleted.
const end = z.object({ ref: z.string(), sha: z.string(), repo: z.object({ full_name: z.string() }).nullish() })
  .transform(({ ref, sha, repo }) => ({ ref, sha, repository: repo?.full_name ?? null }));

/** A pull request, as far as both the events of pull requests and those of their reviews tell. */
export const pullRequest = z.object({
  id: z.number(),
  number: z.number(),
  title: z.string(),
  body: text,
  state: z.string(),
  draft: flag,
  locked: flag,
  merged: flag,
  merge_commit_sha: text,
  merged_by: account,
  user: account,
  author_association: text,
  head: end,
  base: end,
  labels: list(label),
  assignees: list(user),
  requested_reviewers: list(user),
  requested_teams: list(team),
  milestone: milestone.nullish(),
  commits: number,
  additions: number,
  deletions: number,
  changed_files: number,
  html_url: text,
  created_at: time,
  updated_at: time,
  closed_at: time,
  merged_at: time,
}).transform((it): GithubPullRequest => ({
  id: it.id,
  number: it.number,
  title: it.title,
  body: it.body ?? null,
  state: it.state,
  draft: it.draft ?? false,
  locked: it.locked ?? false,
  // The events of reviews leave `merged` out but tell when it was.
  merged: it.merged ?? iso(it.merged_at) !== null,
  mergeCommitSha: it.merge_commit_sha ?? null,
  mergedBy: it.merged_by ?? null,
  author: it.user ?? null,
  authorAssociation: it.author_association ?? null,
  head: it.head,
  base: it.base,
  labels: present(it.labels),
  assignees: present(it.assignees),
  requestedReviewers: present(it.requested_reviewers),
  requestedTeams: present(it.requested_teams),
  milestone: it.milestone ?? null,
  commits: it.commits ?? null,
  additions: it.additions ?? null,
  deletions: it.deletions ?? null,
  changedFiles: it.changed_files ?? null,
  url: it.html_url ?? null,
  createdAt: iso(it.created_at),
  updatedAt: iso(it.updated_at),
  closedAt: iso(it.closed_at),
  mergedAt: iso(it.merged_at),
}));
