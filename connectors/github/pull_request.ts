import type { GithubPrPayload, GithubPullRequest } from "@inlet/github-events";
import { z } from "zod";
import { subject, text } from "../kit/mod.ts";
import { origin, single } from "./draft.ts";
import { change, label, milestone, repositoryEnvelope, team, user } from "./input.ts";
import { pullRequest as pullRequestInput } from "./pull_request_input.ts";

const body = z.object({
  ...repositoryEnvelope,
  pull_request: pullRequestInput,
  changes: z.object({
    title: change,
    body: change,
    base: z.object({ ref: change, sha: change }).optional(),
  }).nullish(),
  label: label.nullish(),
  assignee: user.nullish(),
  requested_reviewer: user.nullish(),
  requested_team: team.nullish(),
  milestone: milestone.nullish(),
  before: text,
  after: text,
  reason: text,
});

type Body = z.output<typeof body>;

/** https://docs.github.com/webhooks/webhook-events-and-payloads#pull_request */
export const pullRequest = single(body, (body, { action }) => ({
  subject: subject("pr", body.pull_request.id, body.pull_request.title, body.pull_request.url),
  at: timeOf(body.pull_request, action),
  payload: tell(body),
}));

function timeOf(it: GithubPullRequest, action: string | null): string | null {
  if (action === "opened") return it.createdAt;
  return action === "closed" ? it.closedAt ?? it.updatedAt : it.updatedAt;
}

function tell(body: Body): GithubPrPayload {
  const { pull_request, changes, label, assignee, requested_reviewer, requested_team, milestone } = body;
  const { before, after, reason } = body;
  return {
    pullRequest: pull_request,
    ...(changes && { changes }),
    ...(label && { label }),
    ...(assignee && { assignee }),
    ...(requested_reviewer && { requestedReviewer: requested_reviewer }),
    ...(requested_team && { requestedTeam: requested_team }),
    ...(milestone && { milestone }),
    ...(typeof before === "string" && { before }),
    ...(typeof after === "string" && { after }),
    ...(typeof reason === "string" && { reason }),
    ...origin(body),
  };
}
