import type { GithubPrReviewPayload, GithubReview } from "@inlet/github-events";
import { z } from "zod";
import { iso, subject, text, time, type Told } from "../kit/mod.ts";
import { origin, single } from "./draft.ts";
import { account, change, repositoryEnvelope } from "./input.ts";
import { pullRequest } from "./pull_request_input.ts";

const review = z.object({
  id: z.number(),
  state: z.string(),
  body: text,
  user: account,
  author_association: text,
  commit_id: text,
  html_url: text,
  submitted_at: time,
}).transform((it): GithubReview => ({
  id: it.id,
  state: it.state,
  body: it.body ?? null,
  author: it.user ?? null,
  authorAssociation: it.author_association ?? null,
  commitSha: it.commit_id ?? null,
  url: it.html_url ?? null,
  submittedAt: iso(it.submitted_at),
}));

const body = z.object({
  ...repositoryEnvelope,
  review,
  pull_request: pullRequest,
  changes: z.object({ body: change }).nullish(),
});

/** https://docs.github.com/webhooks/webhook-events-and-payloads#pull_request_review */
export const pullRequestReview = single(body, (body, { action }): Told<GithubPrReviewPayload> => {
  const { review, pull_request, changes } = body;
  return {
    subject: subject("pr_review", review.id, pull_request.title, review.url),
    at: action === "submitted" ? review.submittedAt : pull_request.updatedAt,
    payload: { review, pullRequest: pull_request, ...(changes && { changes }), ...origin(body) },
  };
});
