import assert from "node:assert/strict";
import {
  gitlabGenericPayloadSchema,
  gitlabJobPayloadSchema,
  gitlabPipelinePayloadSchema,
  gitlabRefPayloadSchema,
  gitlabWorkItemPayloadSchema,
} from "@inlet/gitlab-events";
import { readFixtureEvents } from "../kit/fixtures.ts";
import { ShapeError } from "../kit/mod.ts";
import { normalized, PROJECT, PUSH, RECEIVED_AT, typesOf } from "./testing.ts";

const NONE = "0".repeat(40);

Deno.test("a push tells the branch's creation before its commits, and commits alone of a branch there was", () => {
  assert.deepEqual(typesOf(PUSH), ["gitlab.commit.pushed"]);
  assert.deepEqual(typesOf({ ...PUSH, before: NONE }), ["gitlab.branch.created", "gitlab.commit.pushed"]);
  assert.deepEqual(typesOf({ ...PUSH, before: NONE, commits: [] }), ["gitlab.branch.created"]);
  assert.deepEqual(typesOf({ ...PUSH, after: NONE, commits: [] }), ["gitlab.branch.deleted"]);
  assert.deepEqual(typesOf({ ...PUSH, commits: null }), ["gitlab.branch.updated"]);
});

Deno.test("a tag is told with the commit that it is on, which was not pushed with it", () => {
  const [draft, ...more] = normalized({ ...PUSH, object_kind: "tag_push", ref: "refs/tags/v1", before: NONE });
  assert.equal(more.length, 0);
  const payload = gitlabRefPayloadSchema.parse(draft?.payload);
  assert.deepEqual([draft?.type, payload.tag, payload.headCommit?.sha], ["gitlab.tag.created", "v1", PUSH.after]);
});

Deno.test("a push is GitLab's own where it names nobody, and of arrival's time where it tells none", () => {
  const [draft] = normalized({ ...PUSH, user_id: null, user_username: null, commits: [] });
  assert.deepEqual(draft?.actor, { type: "system", id: "gitlab", name: "GitLab" });
  assert.deepEqual(draft?.occurredAt, RECEIVED_AT);
});

Deno.test("a push to a ref that is neither branch nor tag is told by its commits, or as it is", () => {
  const other = { ...PUSH, ref: "refs/keep-around/1", before: NONE };
  assert.deepEqual(typesOf(other), ["gitlab.commit.pushed"]);
  const [draft] = normalized({ ...other, commits: [] });
  assert.deepEqual([draft?.type, draft?.subject.id], ["gitlab.event.received", "15"]);
});

for (
  const [word, type] of [
    ["open", "opened"],
    ["close", "closed"],
    ["reopen", "reopened"],
    ["update", "updated"],
    ["merge", "merged"],
    ["approved", "approved"],
    ["unapproved", "unapproved"],
    ["approval", "approval_added"],
    ["unapproval", "approval_removed"],
  ] as const
) {
  Deno.test(`a merge request's action ${word} is gitlab.pr.${type}`, () => {
    const object_attributes = { id: 99, iid: 1, title: "t", source_branch: "a", target_branch: "b", action: word };
    assert.deepEqual(typesOf({ object_kind: "merge_request", project: PROJECT, object_attributes }), [
      `gitlab.pr.${type}`,
    ]);
  });
}

Deno.test("what was done to a merge request has the time at which it was, where GitLab tells", () => {
  const object_attributes = {
    id: 99,
    iid: 1,
    title: "t",
    source_branch: "a",
    target_branch: "b",
    action: "approved",
    updated_at: "2026-01-16 05:56:25 UTC",
  };
  const timeOf = (more: Record<string, unknown>) =>
    normalized({
      object_kind: "merge_request",
      project: PROJECT,
      object_attributes: { ...object_attributes, ...more },
    })[0]?.occurredAt.toISOString();
  assert.equal(timeOf({ actioned_at: "2026-01-19 08:00:00 UTC" }), "2026-01-19T08:00:00.000Z");
  assert.equal(timeOf({}), "2026-01-16T05:56:25.000Z");
});

Deno.test("what has no documented action is received as it is: a test from GitLab's settings has none", () => {
  const object_attributes = { id: 301, iid: 23, title: "t", state: "opened" };
  for (const action of [undefined, null, "constructor", "rotate"]) {
    const [draft] = normalized({
      object_kind: "issue",
      project: PROJECT,
      object_attributes: { ...object_attributes, action },
    });
    assert.equal(draft?.type, "gitlab.event.received");
    const payload = gitlabGenericPayloadSchema.parse(draft.payload);
    assert.deepEqual([payload.event, payload.action, payload.object.id], ["issue", action ?? null, 301]);
  }
});

Deno.test("a status that GitLab adds later is received as it is", () => {
  const object_attributes = { id: 31, sha: "a", status: "dreaming" };
  assert.deepEqual(typesOf({ object_kind: "pipeline", project: PROJECT, object_attributes }), [
    "gitlab.event.received",
  ]);
});

Deno.test("what is of a group and of no project, an epic, is told without", () => {
  const object_attributes = { id: 402, iid: 3, title: "t", type: "Epic", action: "open" };
  const [draft] = normalized({ object_kind: "work_item", project: null, object_attributes });
  assert.equal(draft?.type, "gitlab.work_item.opened");
  assert.equal(gitlabWorkItemPayloadSchema.parse(draft.payload).repository, undefined);
  assert.throws(() => normalized({ object_kind: "issue", project: null, object_attributes }), ShapeError);
});

Deno.test("an emoji's event has its type where the action is not told, as at first", () => {
  const object_attributes = { id: 1, name: "heart", awardable_type: "Issue" };
  for (const [event_type, type] of [["award", "awarded"], ["revoke", "revoked"]] as const) {
    const emoji = { object_kind: "emoji", event_type, project: PROJECT, object_attributes };
    assert.deepEqual(typesOf(emoji), [`gitlab.emoji.${type}`]);
    const both = { ...emoji, event_type: "emoji", object_attributes: { ...object_attributes, action: event_type } };
    assert.deepEqual(typesOf(both), [`gitlab.emoji.${type}`]);
  }
});

Deno.test("a deployment is approved by whoever approved it, and not by whoever deploys", () => {
  const told = { object_kind: "deployment", deployment_id: 15, project: PROJECT, user: { id: 4, username: "mira" } };
  const [draft] = normalized({ ...told, status: "approved", approver: { id: 6, username: "ben" } });
  assert.deepEqual([draft?.type, draft?.actor.id], ["gitlab.deployment.approved", "6"]);
  assert.deepEqual(normalized({ ...told, status: "running" })[0]?.actor.id, "4");
});

Deno.test("a job of an older GitLab, which tells no project, is told without", () => {
  const job = { object_kind: "build", build_id: 1, build_name: "test", build_status: "success" };
  assert.deepEqual(typesOf({ ...job, user: { id: null, name: "Mira" } }), ["gitlab.job.success"]);
});

Deno.test("a job that did not fail has no reason why it did, which GitLab tells nevertheless", () => {
  const reasonOf = (build_status: string) => {
    const [draft] = normalized({
      object_kind: "build",
      build_id: 1,
      build_status,
      build_failure_reason: "unknown_failure",
    });
    return gitlabJobPayloadSchema.parse(draft?.payload).job.failureReason;
  };
  assert.equal(reasonOf("success"), null);
  assert.equal(reasonOf("failed"), "unknown_failure");
});

Deno.test("a comment of GitLab before version 16.11, which names no action, is a new one", () => {
  const object_attributes = { id: 1, noteable_type: "Issue", note: "n" };
  assert.deepEqual(typesOf({ object_kind: "note", project: PROJECT, object_attributes }), [
    "gitlab.issue_comment.created",
  ]);
});

Deno.test("a pipeline's variables are not told, for they can be secrets", async () => {
  const told = await readFixtureEvents("gitlab", "pipeline_failed", "");
  assert.ok(!JSON.stringify(told).includes("not to be told"));
  assert.ok(!JSON.stringify(Object.keys(gitlabPipelinePayloadSchema.shape)).includes("variables"));
});

Deno.test("a body that does not say what it is is refused, as that of a custom template", () => {
  assert.throws(() => normalized({ event: "push", project_name: "Example" }), (error) => {
    assert.ok(error instanceof ShapeError);
    assert.deepEqual(error.faults.map(({ pointer }) => pointer), ["/object_kind"]);
    return true;
  });
});

Deno.test("a body that lacks its main object is refused with where it differs", () => {
  assert.throws(
    () => normalized({ object_kind: "issue", project: PROJECT, object_attributes: { action: "open" } }),
    (error) => error instanceof ShapeError && error.faults.some(({ pointer }) => pointer === "/object_attributes/id"),
  );
});
