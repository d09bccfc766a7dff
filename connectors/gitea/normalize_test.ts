import assert from "node:assert/strict";
import {
  giteaForkPayloadSchema,
  giteaGenericPayloadSchema,
  giteaIssueCommentPayloadSchema,
  giteaIssuePayloadSchema,
} from "@inlet/gitea-events";
import { ShapeError } from "../kit/mod.ts";
import { deliveryOf, draftsOf, normalized, PUSH, REPOSITORY, SENDER, signatureOf, typesOf } from "./testing.ts";

const NONE = "0".repeat(40);
const rest = { repository: REPOSITORY, sender: SENDER };
const issue = { id: 301, number: 23, title: "Wheels", created_at: "2026-03-02T10:15:43Z" };

Deno.test("a push tells what happened to its ref before its commits", () => {
  assert.deepEqual(typesOf("push", PUSH), ["gitea.commit.pushed"]);
  assert.deepEqual(typesOf("push", { ...PUSH, before: NONE }), ["gitea.branch.created", "gitea.commit.pushed"]);
  assert.deepEqual(typesOf("push", { ...PUSH, commits: null }), ["gitea.branch.updated"]);
  assert.deepEqual(typesOf("push", { ...PUSH, ref: "refs/tags/v1", after: NONE, commits: [] }), ["gitea.tag.deleted"]);
  assert.deepEqual(typesOf("push", { ...PUSH, ref: "refs/pull/1/head", commits: [] }), ["gitea.event.received"]);
});

Deno.test("a test delivery becomes no event: its commit is there already, or made up", () => {
  assert.deepEqual(typesOf("push", { ...PUSH, before: PUSH.after }), []);
  assert.deepEqual(typesOf("push", { ...PUSH, before: NONE, after: NONE }), []);
});

Deno.test("a fork is the subject, though Gitea calls what was forked the forkee", () => {
  const forked = { ...REPOSITORY, id: 141, full_name: "jonas/rover" };
  const [draft] = normalized("fork", { forkee: REPOSITORY, repository: forked, sender: SENDER });
  const payload = giteaForkPayloadSchema.parse(draft?.payload);
  assert.deepEqual([payload.fork.fullName, payload.repository.fullName], ["jonas/rover", "acme/rover"]);
  assert.equal(draft?.subject.id, "141");
});

Deno.test("an issue's event tells which labels were changed, where Gitea does", () => {
  const changesOf = (changes: unknown) => {
    const [draft] = normalized("issues", { action: "label_updated", issue, changes, ...rest });
    return giteaIssuePayloadSchema.parse(draft?.payload).changes;
  };
  const bug = { id: 7, name: "bug", color: "ee0701" };
  assert.deepEqual(changesOf({ added_labels: [{ ...bug, url: "u" }], removed_labels: null }), { addedLabels: [bug] });
  assert.deepEqual(changesOf({ added_labels: null, removed_labels: [bug] }), { removedLabels: [bug] });
  assert.equal(changesOf(undefined), undefined);
});

Deno.test("a comment on a pull request says that it is one, also where only the delivery does", () => {
  const body = { action: "created", issue, comment: { id: 1 }, is_pull: true, ...rest };
  const payload = giteaIssueCommentPayloadSchema.parse(normalized("issue_comment", body)[0]?.payload);
  assert.equal(payload.issue.isPullRequest, true);
});

for (
  const [event, type] of [
    ["pull_request_approved", "gitea.pr_review.approved"],
    ["pull_request_rejected", "gitea.pr_review.rejected"],
    ["pull_request_comment", "gitea.pr_review.commented"],
  ] as const
) {
  Deno.test(`a review by the event ${event} is ${type}, whatever its action`, () => {
    const end = { ref: "main", sha: "a" };
    const pull_request = { ...issue, base: end, head: { ...end, repo: null } };
    assert.deepEqual(typesOf(event, { action: "reviewed", pull_request, review: { content: "" }, ...rest }), [type]);
  });
}

Deno.test("an event's name stands in the second header where the first is empty, as for packages", () => {
  const body = { action: "deleted", package: { id: 8, name: "rover" }, ...rest };
  const [draft] = normalized("", body, { "x-gitea-event-type": "package" });
  assert.deepEqual([draft?.type, draft?.subject.name], ["gitea.package.deleted", "rover"]);
});

Deno.test("a time that Go did not set is none", () => {
  const workflow_job = { id: 77, started_at: "2026-03-02T11:01:00Z", completed_at: "0001-01-01T00:00:00Z" };
  const [draft] = normalized("workflow_job", { action: "in_progress", workflow_job, ...rest });
  assert.equal(draft?.occurredAt.toISOString(), "2026-03-02T11:01:00.000Z");
});

Deno.test("a newer Forgejo's events of runs and jobs are received with what they are about", () => {
  const run = { id: 52, title: "Build", status: "failure", repository: REPOSITORY, trigger_user: SENDER };
  const job = {
    id: 77,
    name: "test",
    status: "failure",
    html_url: "https://gitea.example.com/acme/rover/actions/runs/52",
  };
  const told = (event: string) => {
    const [draft] = normalized(event, { action: "completed", job, run, repository: REPOSITORY });
    return [draft?.type, draft?.actor.name, giteaGenericPayloadSchema.parse(draft?.payload).object?.name];
  };
  assert.deepEqual(told("workflow_job_failure"), ["gitea.event.received", "mira", "test"]);
  assert.deepEqual(told("workflow_run_failure"), ["gitea.event.received", "mira", "Build"]);
});

Deno.test("a run of Forgejo is of the repository and the actor that only the run names", () => {
  const run = { id: 52, repository: REPOSITORY, trigger_user: SENDER };
  const [draft] = normalized("action_run_success", { action: "success", run });
  const payload = giteaGenericPayloadSchema.parse(draft?.payload);
  assert.deepEqual([draft?.actor.name, payload.repository?.fullName], ["mira", "acme/rover"]);
});

Deno.test("what is added later is received as it is, an action too", () => {
  const [draft] = normalized("issues", { action: "pinned", issue, ...rest });
  assert.equal(draft?.type, "gitea.event.received");
  const payload = giteaGenericPayloadSchema.parse(draft.payload);
  assert.deepEqual([payload.event, payload.action, payload.repository?.id], ["issues", "pinned", 140]);
  for (const event of ["constructor", "__proto__", "comet"]) {
    assert.deepEqual(typesOf(event, rest), ["gitea.event.received"]);
  }
});

Deno.test("a delivery that does not name its event is refused with what to do", () => {
  const text = JSON.stringify(rest);
  assert.throws(
    () => draftsOf(deliveryOf(text, { "x-gitea-signature": signatureOf(text) })),
    (error) => error instanceof ShapeError && /X-Gitea-Event/.test(error.message),
  );
});

Deno.test("a body that lacks its main object is refused with where it differs", () => {
  assert.throws(
    () => normalized("issues", { action: "opened", ...rest }),
    (error) => error instanceof ShapeError && error.faults.some(({ pointer }) => pointer === "/issue"),
  );
});
