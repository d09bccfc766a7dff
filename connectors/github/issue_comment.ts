import type { GithubComment, GithubIssueCommentPayload } from "@inlet/github-events";
import { z } from "zod";
import { iso, subject, text, time, type Told } from "../kit/mod.ts";
import { origin, single } from "./draft.ts";
import { account, change, repositoryEnvelope } from "./input.ts";
import { issue } from "./issue_input.ts";

const comment = z.object({
  id: z.number(),
  body: text,
  user: account,
  author_association: text,
  html_url: text,
  created_at: time,
  updated_at: time,
}).transform((it): GithubComment => ({
  id: it.id,
  body: it.body ?? null,
  author: it.user ?? null,
  authorAssociation: it.author_association ?? null,
  url: it.html_url ?? null,
  createdAt: iso(it.created_at),
  updatedAt: iso(it.updated_at),
}));

const body = z.object({
  ...repositoryEnvelope,
  comment,
  issue,
  changes: z.object({ body: change }).nullish(),
});

/** https://docs.github.com/webhooks/webhook-events-and-payloads#issue_comment */
export const issueComment = single(body, (body, { action }): Told<GithubIssueCommentPayload> => {
  const { comment, issue, changes } = body;
  return {
    subject: subject("issue_comment", comment.id, issue.title, comment.url),
    at: timeOf(comment, action),
    payload: { comment, issue, ...(changes && { changes }), ...origin(body) },
  };
});

/** Of a deletion GitHub tells no time: the comment's own times are all from before it. */
function timeOf(comment: GithubComment, action: string | null): string | null {
  if (action === "deleted") return null;
  return action === "created" ? comment.createdAt : comment.updatedAt;
}
