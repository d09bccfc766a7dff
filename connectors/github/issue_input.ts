import type { GithubIssue } from "@inlet/github-events";
import { z } from "zod";
import { flag, iso, list, number, present, text, time } from "../kit/mod.ts";
import { account, label, milestone, user } from "./input.ts";

/** Only the name of an issue type is told on. */
export const issueType = z.object({ name: z.string() }).nullish();

/** An issue, as far as both the events of issues and those of their comments tell. */
export const issue = z.object({
  id: z.number(),
  number: z.number(),
  title: z.string(),
  body: text,
  state: text,
  state_reason: text,
  locked: flag,
  user: account,
  author_association: text,
  labels: list(label),
  assignees: list(user),
  milestone: milestone.nullish(),
  type: issueType,
  comments: number,
  pull_request: z.object({}).nullish(),
  html_url: text,
  created_at: time,
  updated_at: time,
  closed_at: time,
}).transform((it): GithubIssue => ({
  id: it.id,
  number: it.number,
  title: it.title,
  body: it.body ?? null,
  state: it.state ?? null,
  stateReason: it.state_reason ?? null,
  locked: it.locked ?? false,
  author: it.user ?? null,
  authorAssociation: it.author_association ?? null,
  labels: present(it.labels),
  assignees: present(it.assignees),
  milestone: it.milestone ?? null,
  type: it.type?.name ?? null,
  comments: it.comments ?? null,
  isPullRequest: Boolean(it.pull_request),
  url: it.html_url ?? null,
  createdAt: iso(it.created_at),
  updatedAt: iso(it.updated_at),
  closedAt: iso(it.closed_at),
}));
