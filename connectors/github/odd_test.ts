import { deepEqual, equal, throws } from "node:assert/strict";
import { githubCommitPayloadSchema, githubIssuePayloadSchema, githubPrPayloadSchema } from "@inlet/github-events";
import { type Fault, ShapeError } from "../kit/mod.ts";
import { normalized, RECEIVED_AT, REPOSITORY, SENDER } from "./testing.ts";

const SYSTEM = { type: "system", id: "github", name: "GitHub" };

const commit = { id: "1".repeat(40), message: "x", timestamp: "2026-03-02T10:38:40Z" };
const push = { ref: "refs/heads/main", before: "a", after: "b", repository: REPOSITORY, sender: SENDER };
const issue = { id: 1, number: 2, title: "t", user: null, created_at: "2026-03-02T10:38:40Z" };
const end = { ref: "main", sha: "a", repo: null };
const pull = { id: 1, number: 2, title: "t", state: "open", user: null, head: end, base: end };

function faultsOf(event: string, body: unknown): readonly Fault[] {
  let faults: readonly Fault[] = [];
  throws(() => normalized(event, body), (error) => {
    if (!(error instanceof ShapeError)) return false;
    faults = error.faults;
    return true;
  });
  return faults;
}

Deno.test("odd but valid: an author's e-mail is any text, for git does not check it", () => {
  const author = { name: "root", email: "root@localhost" };
  const [draft] = normalized("push", { ...push, commits: [{ ...commit, author, committer: { name: "", email: "" } }] });
  const payload = githubCommitPayloadSchema.parse(draft?.payload);
  deepEqual(payload.author, { name: "root", email: "root@localhost", username: null });
  equal(payload.committer?.email, "");
});

Deno.test("odd but valid: a commit without a message, author or file lists", () => {
  const [draft] = normalized("push", { ...push, commits: [{ ...commit, message: null, author: null, added: null }] });
  const payload = githubCommitPayloadSchema.parse(draft?.payload);
  deepEqual([payload.message, payload.author, payload.added], ["", null, []]);
  equal(draft?.subject.name, undefined);
});

Deno.test("odd but valid: half of a surrogate pair in a branch's name", () => {
  const body = { ...push, ref: "refs/heads/\ud800", created: true, commits: [] };
  deepEqual(normalized("push", body).map(({ type }) => type), ["github.branch.created"]);
});

Deno.test("odd but valid: authors, assignees and forks that were deleted", () => {
  const body = { action: "opened", pull_request: { ...pull, assignees: [null, SENDER] }, repository: REPOSITORY };
  const [draft] = normalized("pull_request", body);
  const { pullRequest } = githubPrPayloadSchema.parse(draft?.payload);
  equal(pullRequest.author, null);
  equal(pullRequest.head.repository, null);
  deepEqual(pullRequest.assignees.map(({ login }) => login), ["mira"]);
});

Deno.test("odd but valid: without a sender, or with a deleted one, GitHub itself is the actor", () => {
  const body = { action: "opened", issue, repository: REPOSITORY };
  deepEqual(normalized("issues", body)[0]?.actor, SYSTEM);
  deepEqual(normalized("issues", { ...body, sender: null })[0]?.actor, SYSTEM);
});

Deno.test("the actor is a user, a bot or an organization as the sender's type says, and else a user", () => {
  const typeOf = (type: string | undefined): string | undefined =>
    normalized("issues", { action: "opened", issue, repository: REPOSITORY, sender: { ...SENDER, type } })[0]?.actor
      .type;
  deepEqual(["User", "Bot", "Organization", "Mannequin", undefined].map(typeOf), [
    "user",
    "bot",
    "organization",
    "user",
    "user",
  ]);
});

Deno.test("odd but valid: no body, labels or times in an issue", () => {
  const [draft] = normalized("issues", {
    action: "opened",
    issue: { ...issue, body: null, labels: null, created_at: "not a time" },
    repository: REPOSITORY,
    sender: SENDER,
  });
  const payload = githubIssuePayloadSchema.parse(draft?.payload);
  deepEqual([payload.issue.body, payload.issue.labels, payload.issue.createdAt], [null, [], null]);
  deepEqual(draft?.occurredAt, RECEIVED_AT);
});

Deno.test("times are read from any offset and from epoch seconds, and one that RFC 3339 cannot write is none", () => {
  const at = (created_at: unknown): string | undefined =>
    normalized("issues", { action: "opened", issue: { ...issue, created_at }, repository: REPOSITORY })[0]
      ?.occurredAt.toISOString();
  equal(at("2026-03-02T23:30:00-05:30"), "2026-03-03T05:00:00.000Z");
  equal(at(1772448068), "2026-03-02T10:41:08.000Z");
  equal(at(1e12), RECEIVED_AT.toISOString());
  equal(at("+012026-03-02T23:30:00Z"), RECEIVED_AT.toISOString());
});

Deno.test("a wrong shape is refused with where it is wrong and what was expected", () => {
  deepEqual(faultsOf("issues", { action: "opened", issue: { ...issue, number: "2" }, repository: REPOSITORY }), [
    { pointer: "/issue/number", detail: "expected a number, not a text" },
  ]);
  const faults = faultsOf("push", { ...push, ref: undefined, commits: [commit, { ...commit, id: 7 }] });
  deepEqual(faults.map(({ pointer }) => pointer), ["/ref", "/commits/1/id"]);
});

Deno.test("a body that is no object is refused, of whatever event", () => {
  for (const event of ["push", "issues", "check_run", "create", "status", "added_later"]) {
    for (const body of [null, 1, "text", [], [{}]]) {
      deepEqual(faultsOf(event, body).map(({ pointer }) => pointer), [""], `${event} ${JSON.stringify(body)}`);
    }
  }
});

Deno.test("an event that is documented with actions is refused without one", () => {
  deepEqual(faultsOf("check_run", { check_run: { id: 1 } }).map(({ pointer }) => pointer), ["/action"]);
  deepEqual(faultsOf("issues", { action: 1, issue }).map(({ pointer }) => pointer), ["/action"]);
});

Deno.test("a documented event is refused without the object that it is about", () => {
  deepEqual(faultsOf("check_run", { action: "created" }).map(({ pointer }) => pointer), ["/check_run"]);
  deepEqual(faultsOf("gollum", { pages: [] }).map(({ pointer }) => pointer), ["/repository"]);
  deepEqual(faultsOf("discussion_comment", { action: "created", comment: 1 }).map(({ pointer }) => pointer), [
    "/comment",
  ]);
});
