import type { GithubIssue, GithubIssueElsewhere, GithubIssuePayload } from "@inlet/github-events";
import { z } from "zod";
import { subject, text } from "../kit/mod.ts";
import { origin, single } from "./draft.ts";
import { change, label, milestone, repositoryEnvelope, user } from "./input.ts";
import { issue, issueType } from "./issue_input.ts";

const otherIssue = z.object({ id: z.number(), number: z.number(), html_url: text }).nullish();
const otherRepository = z.object({ full_name: z.string() }).nullish();

const body = z.object({
  ...repositoryEnvelope,
  issue,
  changes: z.object({
    title: change,
    body: change,
    new_issue: otherIssue,
    new_repository: otherRepository,
    old_issue: otherIssue,
    old_repository: otherRepository,
  }).nullish(),
  label: label.nullish(),
  assignee: user.nullish(),
  milestone: milestone.nullish(),
  type: issueType,
});

type Body = z.output<typeof body>;

/** https://docs.github.com/webhooks/webhook-events-and-payloads#issues */
export const issues = single(body, (body, { action }) => ({
  subject: subject("issue", body.issue.id, body.issue.title, body.issue.url),
  at: timeOf(body.issue, action),
  payload: tell(body, action),
}));

/** Of a deletion GitHub tells no time: the issue's own times are all from before it. */
function timeOf(it: GithubIssue, action: string | null): string | null {
  if (action === "deleted") return null;
  if (action === "opened") return it.createdAt;
  return action === "closed" ? it.closedAt ?? it.updatedAt : it.updatedAt;
}

function tell(body: Body, action: string | null): GithubIssuePayload {
  const { issue, changes, label, assignee, milestone, type } = body;
  const transferredTo = elsewhere(changes?.new_issue, changes?.new_repository);
  const transferredFrom = elsewhere(changes?.old_issue, changes?.old_repository);
  return {
    issue,
    ...(changes && action === "edited" && { changes: edit(changes) }),
    ...(label && { label }),
    ...(assignee && { assignee }),
    ...(milestone && { milestone }),
    ...(type && { type: type.name }),
    ...(transferredTo && { transferredTo }),
    ...(transferredFrom && { transferredFrom }),
    ...origin(body),
  };
}

function edit({ title, body }: NonNullable<Body["changes"]>): NonNullable<GithubIssuePayload["changes"]> {
  return { ...(title && { title }), ...(body && { body }) };
}

function elsewhere(
  issue: z.output<typeof otherIssue>,
  repository: z.output<typeof otherRepository>,
): GithubIssueElsewhere | undefined {
  if (!issue) return undefined;
  return { id: issue.id, number: issue.number, url: issue.html_url ?? null, repository: repository?.full_name ?? null };
}
