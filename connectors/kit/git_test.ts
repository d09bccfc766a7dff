import assert from "node:assert/strict";
import { z } from "zod";
import { type Commit, commitInput, commitOf, objectId, type Push, pushDrafts, refNames, refSubject } from "./git.ts";

Deno.test("refNames takes the branch or tag out of a full ref", () => {
  assert.deepEqual(refNames("refs/heads/feature/one"), { branch: "feature/one", tag: null });
  assert.deepEqual(refNames("refs/tags/v1"), { branch: null, tag: "v1" });
  assert.deepEqual(refNames("refs/notes/commits"), { branch: null, tag: null });
});

Deno.test("objectId knows git's way to write that there is no object, in SHA-1 and in SHA-256", () => {
  assert.deepEqual([40, 64].map((length) => objectId("0".repeat(length))), [null, null]);
  assert.equal(objectId(`${"0".repeat(39)}1`), `${"0".repeat(39)}1`);
});

Deno.test("refSubject is unique in its source and has an address that any name can stand in", () => {
  assert.deepEqual(refSubject("refs/heads/a b/c", 7, "https://git.example/acme/rover/tree"), {
    type: "branch",
    id: "7:refs/heads/a b/c",
    name: "a b/c",
    url: "https://git.example/acme/rover/tree/a%20b/c",
  });
  assert.deepEqual(refSubject("refs/tags/\ud800", 7, null), { type: "tag", id: "7:refs/tags/\ud800", name: "\ud800" });
});

const SHA = "a".repeat(40);
const PUSHED_AT = new Date("2026-03-02T12:00:00.000Z");
const commit = commitOf(z.object(commitInput).parse({ id: SHA, message: "Fix it \r\n\nAt last", added: ["a", null] }));

function typesOf(change: Partial<Push<Commit>>): string[] {
  const drafts = pushDrafts({
    source: "acme",
    ref: "refs/heads/main",
    repositoryId: 7,
    folder: "https://git.example/tree",
    created: false,
    deleted: false,
    actor: { type: "user", id: "1" },
    pushedAt: PUSHED_AT,
    refPayload: { of: "ref" },
    commits: [],
    head: SHA,
    commitPayload: ({ sha }) => ({ of: sha }),
    ...change,
  });
  return drafts.map(({ type, subject, payload }) => [type, subject.name, payload.of].join(" "));
}

Deno.test("pushDrafts tells what happened to the ref before its commits, and commits alone of a ref there was", () => {
  const [ofRef, ofCommit] = ["main ref", `acme.commit.pushed Fix it ${SHA}`];
  assert.deepEqual(typesOf({ commits: [commit] }), [ofCommit]);
  assert.deepEqual(typesOf({ commits: [commit], created: true }), [`acme.branch.created ${ofRef}`, ofCommit]);
  assert.deepEqual(typesOf({ deleted: true }), [`acme.branch.deleted ${ofRef}`]);
  assert.deepEqual(typesOf({}), [`acme.branch.updated ${ofRef}`]);
  assert.deepEqual(typesOf({ ref: "refs/tags/v1", created: true }), ["acme.tag.created v1 ref"]);
});

Deno.test("pushDrafts tells the oldest commit first, whichever its host begins with", () => {
  const [older, newer] = [{ ...commit, sha: "b".repeat(40) }, commit];
  const told = [`acme.commit.pushed Fix it ${older.sha}`, `acme.commit.pushed Fix it ${newer.sha}`];
  assert.deepEqual(typesOf({ commits: [older, newer] }), told);
  assert.deepEqual(typesOf({ commits: [newer, older] }), told);
});

Deno.test("pushDrafts tells of a ref that is neither branch nor tag no more than its commits", () => {
  const ref = "refs/notes/commits";
  assert.deepEqual(typesOf({ ref, created: true }), []);
  assert.deepEqual(typesOf({ ref, created: true, commits: [commit] }), [`acme.commit.pushed Fix it ${SHA}`]);
});

Deno.test("commitOf leaves out what a host leaves out", () => {
  assert.deepEqual([commit.added, commit.removed, commit.timestamp, commit.url], [["a"], [], null, null]);
});
