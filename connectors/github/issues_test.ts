import { deepEqual, equal } from "node:assert/strict";
import {
  githubIssueCommentPayloadSchema,
  type GithubIssuePayload,
  githubIssuePayloadSchema,
} from "@inlet/github-events";
import { normalized, RECEIVED_AT, REPOSITORY, SENDER } from "./testing.ts";

const issue = {
  id: 21,
  number: 119,
  title: "Rover stops in front of white pots",
  state: "open",
  user: SENDER,
  html_url: "https://github.com/acme/rover/issues/119",
  created_at: "2026-03-01T08:00:00Z",
  updated_at: "2026-03-02T09:00:00Z",
  closed_at: null,
};
const rest = { repository: REPOSITORY, sender: SENDER };

function payloadOf(action: string, change: Record<string, unknown>): GithubIssuePayload {
  const [draft] = normalized("issues", { action, issue, ...rest, ...change });
  return githubIssuePayloadSchema.parse(draft?.payload);
}

function timeOf(event: string, body: Record<string, unknown>): string | undefined {
  return normalized(event, { ...body, ...rest })[0]?.occurredAt.toISOString();
}

Deno.test("issue: an event is dated by what was done; of a deletion GitHub tells no time", () => {
  const closed = { ...issue, closed_at: "2026-03-03T10:00:00Z" };
  equal(timeOf("issues", { action: "opened", issue }), "2026-03-01T08:00:00.000Z");
  equal(timeOf("issues", { action: "closed", issue: closed }), "2026-03-03T10:00:00.000Z");
  equal(timeOf("issues", { action: "labeled", issue }), "2026-03-02T09:00:00.000Z");
  equal(timeOf("issues", { action: "deleted", issue }), RECEIVED_AT.toISOString());
});

Deno.test("issue: a transfer tells where the issue went and where it came from", () => {
  const other = { id: 31, number: 4, html_url: "https://github.com/acme/garden/issues/4" };
  const there = { full_name: "acme/garden" };
  const told = { id: 31, number: 4, url: "https://github.com/acme/garden/issues/4", repository: "acme/garden" };
  const gone = payloadOf("transferred", { changes: { new_issue: other, new_repository: there } });
  deepEqual([gone.transferredTo, gone.transferredFrom, gone.changes], [told, undefined, undefined]);
  const came = payloadOf("opened", { changes: { old_issue: other, old_repository: there } });
  deepEqual([came.transferredTo, came.transferredFrom, came.changes], [undefined, told, undefined]);
});

Deno.test("issue: what the action was about stands beside the issue, and only with it", () => {
  equal("label" in payloadOf("opened", {}), false);
  equal(payloadOf("labeled", { label: { id: 5, name: "bug", color: "d73a4a" } }).label?.name, "bug");
  equal(payloadOf("unassigned", { assignee: SENDER }).assignee?.login, "mira");
  equal(payloadOf("milestoned", { milestone: { id: 1, number: 3, title: "Spring" } }).milestone?.title, "Spring");
  equal(payloadOf("typed", { type: { id: 1, name: "Bug" } }).type, "Bug");
  deepEqual(payloadOf("edited", { changes: { body: { from: "Old" } } }).changes, { body: { from: "Old" } });
});

const comment = {
  id: 41,
  body: "Same here.",
  user: SENDER,
  html_url: "https://github.com/acme/rover/issues/119#issuecomment-41",
  created_at: "2026-03-02T07:00:00Z",
  updated_at: "2026-03-02T07:30:00Z",
};

Deno.test("issue_comment: the comment is the subject, named after the issue", () => {
  const [draft] = normalized("issue_comment", { action: "created", comment, issue, ...rest });
  deepEqual(draft?.subject, { type: "issue_comment", id: "41", name: issue.title, url: comment.html_url });
  const payload = githubIssueCommentPayloadSchema.parse(draft.payload);
  deepEqual([payload.comment.body, payload.issue.number], ["Same here.", 119]);
});

Deno.test("issue_comment: an event is dated by what was done; of a deletion GitHub tells no time", () => {
  equal(timeOf("issue_comment", { action: "created", comment, issue }), "2026-03-02T07:00:00.000Z");
  equal(timeOf("issue_comment", { action: "edited", comment, issue }), "2026-03-02T07:30:00.000Z");
  equal(timeOf("issue_comment", { action: "deleted", comment, issue }), RECEIVED_AT.toISOString());
});

Deno.test("issue_comment: a comment on a pull request says that its issue is one", () => {
  const isPullRequest = (it: Record<string, unknown>): boolean => {
    const [draft] = normalized("issue_comment", { action: "created", comment, issue: it, ...rest });
    return githubIssueCommentPayloadSchema.parse(draft?.payload).issue.isPullRequest;
  };
  deepEqual([isPullRequest(issue), isPullRequest({ ...issue, pull_request: { url: "x" } })], [false, true]);
});
