import { deepEqual, equal } from "node:assert/strict";
import { githubPrPayloadSchema, githubPrReviewPayloadSchema } from "@inlet/github-events";
import type { EventDraft } from "../kit/mod.ts";
import { normalized, only, REPOSITORY, SENDER } from "./testing.ts";

const pull_request = {
  id: 11,
  number: 118,
  title: "Sleep between readings",
  state: "open",
  user: SENDER,
  head: { ref: "sleep", sha: "e".repeat(40), repo: { full_name: "jonas/rover" } },
  base: { ref: "main", sha: "c".repeat(40), repo: { full_name: "acme/rover" } },
  html_url: "https://github.com/acme/rover/pull/118",
  created_at: "2026-03-01T08:00:00Z",
  updated_at: "2026-03-02T09:00:00Z",
  closed_at: null,
  merged_at: null,
};
const rest = { number: 118, repository: REPOSITORY, sender: SENDER };

function pr(action: string, change: Record<string, unknown> = {}): EventDraft {
  return only("pull_request", { action, pull_request, ...rest, ...change });
}

Deno.test("pr: an event is dated by what was done: opened, closed, anything else", () => {
  const closed = { ...pull_request, state: "closed", closed_at: "2026-03-03T10:00:00Z" };
  equal(pr("opened").occurredAt.toISOString(), "2026-03-01T08:00:00.000Z");
  equal(pr("closed", { pull_request: closed }).occurredAt.toISOString(), "2026-03-03T10:00:00.000Z");
  equal(pr("labeled").occurredAt.toISOString(), "2026-03-02T09:00:00.000Z");
});

Deno.test("pr: a closed one says whether, when and by whom it was merged", () => {
  const merged_at = "2026-03-03T10:00:00Z";
  const merged = {
    ...pull_request,
    state: "closed",
    merged: true,
    merged_at,
    merged_by: SENDER,
    merge_commit_sha: "d",
  };
  const { pullRequest } = githubPrPayloadSchema.parse(pr("closed", { pull_request: merged }).payload);
  deepEqual(
    [pullRequest.merged, pullRequest.mergedAt, pullRequest.mergedBy?.login, pullRequest.mergeCommitSha],
    [true, "2026-03-03T10:00:00.000Z", "mira", "d"],
  );
});

Deno.test("pr: what the action was about stands beside the pull request, and only with it", () => {
  const about = (action: string, change: Record<string, unknown>): unknown => {
    const { pullRequest: _, repository: __, ...about } = githubPrPayloadSchema.parse(pr(action, change).payload);
    return about;
  };
  const user = { id: 7, login: "mira", type: "User", url: "https://github.com/mira" };
  const team = { id: 3, name: "Firmware", slug: "firmware", html_url: "https://github.com/orgs/acme/teams/firmware" };
  deepEqual(about("opened", {}), {});
  deepEqual(about("labeled", { label: { id: 5, name: "bug", color: "d73a4a" } }), {
    label: { id: 5, name: "bug", color: "d73a4a" },
  });
  deepEqual(about("assigned", { assignee: SENDER }), { assignee: user });
  deepEqual(about("review_requested", { requested_reviewer: SENDER }), { requestedReviewer: user });
  deepEqual(about("review_requested", { requested_team: team }), {
    requestedTeam: { id: 3, name: "Firmware", slug: "firmware", url: "https://github.com/orgs/acme/teams/firmware" },
  });
  deepEqual(about("synchronize", { before: "a", after: "b" }), { before: "a", after: "b" });
  deepEqual(about("dequeued", { reason: "CI_FAILURE" }), { reason: "CI_FAILURE" });
  const changes = { title: { from: "Old" }, base: { ref: { from: "dev" }, sha: { from: "a" } } };
  deepEqual(about("edited", { changes }), { changes });
});

Deno.test("pr: organization and installation are told where the delivery has them", () => {
  const { payload } = pr("opened", { organization: { id: 90, login: "acme", url: "x" }, installation: { id: 8 } });
  const { organization, installationId } = githubPrPayloadSchema.parse(payload);
  deepEqual([organization, installationId], [{ id: 90, login: "acme" }, 8]);
});

Deno.test("pr_review: a submitted review is the subject and dated by its submission, a later action by the update", () => {
  const review = {
    id: 77,
    state: "approved",
    body: null,
    user: null,
    commit_id: "e".repeat(40),
    html_url: "https://github.com/acme/rover/pull/118#pullrequestreview-77",
    submitted_at: "2026-03-02T08:30:00Z",
  };
  const one = (action: string): EventDraft => only("pull_request_review", { action, review, pull_request, ...rest });
  deepEqual([one("submitted").type, one("submitted").occurredAt.toISOString()], [
    "github.pr_review.submitted",
    "2026-03-02T08:30:00.000Z",
  ]);
  equal(one("dismissed").occurredAt.toISOString(), "2026-03-02T09:00:00.000Z");
  deepEqual(one("submitted").subject, {
    type: "pr_review",
    id: "77",
    name: "Sleep between readings",
    url: review.html_url,
  });
  const payload = githubPrReviewPayloadSchema.parse(one("submitted").payload);
  deepEqual([payload.review.state, payload.review.author, payload.pullRequest.number], ["approved", null, 118]);
});

Deno.test("pr_review: a pull request that tells when it was merged is merged, though reviews leave `merged` out", () => {
  const review = { id: 77, state: "commented" };
  const merged = { ...pull_request, merged_at: "2026-03-03T10:00:00Z" };
  const body = { action: "submitted", review, pull_request: merged, ...rest };
  const [draft] = normalized("pull_request_review", body);
  equal(githubPrReviewPayloadSchema.parse(draft?.payload).pullRequest.merged, true);
});
