import { deepEqual, equal } from "node:assert/strict";
import { githubCommitPayloadSchema, githubRefPayloadSchema } from "@inlet/github-events";
import { normalized, RECEIVED_AT, REPOSITORY, SENDER } from "./testing.ts";

const NONE = "0".repeat(40);
const OLD = "a".repeat(40);
const NEW = "b".repeat(40);

function commit(id: string, message: string | null, timestamp: string): Record<string, unknown> {
  return { id, message, timestamp, url: `https://github.com/acme/rover/commit/${id}`, distinct: true, added: ["a.rs"] };
}

const first = commit("1".repeat(40), "First line\n\nMore.", "2026-03-02T11:38:40+01:00");
const second = commit("2".repeat(40), "Second", "2026-03-02T11:40:51+01:00");

function push(change: Record<string, unknown>): Record<string, unknown> {
  return {
    ref: "refs/heads/main",
    before: OLD,
    after: NEW,
    created: false,
    deleted: false,
    forced: false,
    commits: [first, second],
    head_commit: second,
    pusher: { name: "mira", email: "mira@acme.example" },
    repository: { ...REPOSITORY, pushed_at: 1772448068 },
    sender: SENDER,
    ...change,
  };
}

function types(change: Record<string, unknown>): string[] {
  return normalized("push", push(change)).map(({ type }) => type);
}

Deno.test("a push becomes one event per commit, in the order of the commits", () => {
  const drafts = normalized("push", push({}));
  deepEqual(drafts.map(({ type, subject }) => [type, subject.id]), [
    ["github.commit.pushed", "1".repeat(40)],
    ["github.commit.pushed", "2".repeat(40)],
  ]);
});

Deno.test("a pushed commit is named by the first line of its message and dated by its own time", () => {
  const [draft] = normalized("push", push({}));
  equal(draft?.subject.name, "First line");
  equal(draft.occurredAt.toISOString(), "2026-03-02T10:38:40.000Z");
  const payload = githubCommitPayloadSchema.parse(draft.payload);
  equal(payload.message, "First line\n\nMore.");
  equal(payload.branch, "main");
  deepEqual([payload.added, payload.removed, payload.modified], [["a.rs"], [], []]);
});

Deno.test("a commit without a time is dated by the push", () => {
  const [draft] = normalized("push", push({ commits: [{ ...first, timestamp: null }] }));
  equal(draft?.occurredAt.toISOString(), "2026-03-02T10:41:08.000Z");
});

Deno.test("a new branch with commits becomes branch.created first, then its commits", () => {
  const change = { ref: "refs/heads/feature/x y", before: NONE, created: true };
  deepEqual(types(change), ["github.branch.created", "github.commit.pushed", "github.commit.pushed"]);
  const [draft] = normalized("push", push(change));
  deepEqual(draft?.subject, {
    type: "branch",
    id: "42:refs/heads/feature/x y",
    name: "feature/x y",
    url: "https://github.com/acme/rover/tree/feature/x%20y",
  });
  equal(draft.occurredAt.toISOString(), "2026-03-02T10:41:08.000Z");
  const payload = githubRefPayloadSchema.parse(draft.payload);
  deepEqual([payload.branch, payload.tag, payload.before, payload.after], ["feature/x y", null, null, NEW]);
  equal(payload.headCommit?.sha, "2".repeat(40));
});

Deno.test("a deleted branch becomes branch.deleted, without an address that would lead nowhere", () => {
  const change = { after: NONE, deleted: true, commits: [], head_commit: null };
  deepEqual(types(change), ["github.branch.deleted"]);
  const [draft] = normalized("push", push(change));
  deepEqual(draft?.subject, { type: "branch", id: "42:refs/heads/main", name: "main" });
  equal(githubRefPayloadSchema.parse(draft.payload).after, null);
});

Deno.test("a tag that is made, deleted or moved becomes tag.created, tag.deleted or tag.updated", () => {
  const tag = { ref: "refs/tags/v1", commits: [] };
  deepEqual(types({ ...tag, created: true, before: NONE }), ["github.tag.created"]);
  deepEqual(types({ ...tag, deleted: true, after: NONE }), ["github.tag.deleted"]);
  deepEqual(types({ ...tag, forced: true }), ["github.tag.updated"]);
});

Deno.test("a branch that is set back, so that no commit is pushed, becomes branch.updated", () => {
  deepEqual(types({ commits: [], forced: true }), ["github.branch.updated"]);
});

Deno.test("a forced push with commits becomes its commits, each saying that it was forced", () => {
  const drafts = normalized("push", push({ forced: true }));
  deepEqual(drafts.map(({ payload }) => githubCommitPayloadSchema.parse(payload).forced), [true, true]);
});

Deno.test("a push to a ref that is neither branch nor tag is not dropped", () => {
  deepEqual(types({ ref: "refs/notes/commits" }), ["github.commit.pushed", "github.commit.pushed"]);
  deepEqual(types({ ref: "refs/notes/commits", commits: [] }), ["github.event.received"]);
});

Deno.test("a push without a sender was done by its pusher", () => {
  deepEqual(normalized("push", push({ sender: undefined }))[0]?.actor, { type: "user", id: "mira", name: "mira" });
  const nobody = normalized("push", push({ sender: undefined, pusher: null }))[0];
  deepEqual(nobody?.actor, { type: "system", id: "github", name: "GitHub" });
});

Deno.test("a push of a repository without a time of pushing is dated by its arrival", () => {
  const [draft] = normalized("push", push({ commits: [], repository: { ...REPOSITORY, pushed_at: null } }));
  deepEqual(draft?.occurredAt, RECEIVED_AT);
});
