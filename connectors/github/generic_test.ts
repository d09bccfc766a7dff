import { deepEqual, equal } from "node:assert/strict";
import { type GithubGenericPayload, githubGenericPayloadSchema } from "@inlet/github-events";
import type { EventDraft } from "../kit/mod.ts";
import { only, RECEIVED_AT, REPOSITORY, SENDER } from "./testing.ts";

const rest = { repository: REPOSITORY, sender: SENDER };

function one(event: string, body: Record<string, unknown>): EventDraft & { readonly payload: GithubGenericPayload } {
  const draft = only(event, body);
  return { ...draft, payload: githubGenericPayloadSchema.parse(draft.payload) };
}

Deno.test("generic: the main object is the subject and tells when, by the time that the action sets", () => {
  const check_run = {
    id: 81,
    name: "lint",
    status: "completed",
    conclusion: "success",
    head_sha: "e".repeat(40),
    html_url: "https://github.com/acme/rover/runs/81",
    started_at: "2026-03-02T18:00:00Z",
    completed_at: "2026-03-02T18:01:00Z",
  };
  const done = one("check_run", { action: "completed", check_run, ...rest });
  equal(done.type, "github.check_run.completed");
  deepEqual(done.subject, { type: "check_run", id: "81", name: "lint", url: check_run.html_url });
  equal(done.occurredAt.toISOString(), "2026-03-02T18:01:00.000Z");
  deepEqual([done.payload.event, done.payload.action], ["check_run", "completed"]);
  deepEqual([done.payload.object?.state, done.payload.object?.conclusion], ["completed", "success"]);
  const made = one("check_run", { action: "created", check_run, ...rest });
  equal(made.occurredAt.toISOString(), "2026-03-02T18:00:00.000Z");
});

Deno.test("generic: each action is dated by the time that it sets, all others by the last update", () => {
  const cases: [event: string, key: string, action: string, time: string][] = [
    ["check_run", "check_run", "created", "started_at"],
    ["check_suite", "check_suite", "requested", "created_at"],
    ["dependabot_alert", "alert", "auto_dismissed", "auto_dismissed_at"],
    ["dependabot_alert", "alert", "dismissed", "dismissed_at"],
    ["dependabot_alert", "alert", "fixed", "fixed_at"],
    ["dependabot_alert", "alert", "reopened", "updated_at"],
    ["installation", "installation", "suspend", "suspended_at"],
    ["milestone", "milestone", "closed", "closed_at"],
    ["milestone", "milestone", "opened", "updated_at"],
    ["projects_v2_item", "projects_v2_item", "archived", "archived_at"],
    ["repository_vulnerability_alert", "alert", "create", "created_at"],
    ["repository_vulnerability_alert", "alert", "dismiss", "dismissed_at"],
    ["repository_vulnerability_alert", "alert", "resolve", "resolved_at"],
    ["secret_scanning_alert", "alert", "resolved", "resolved_at"],
    ["security_advisory", "security_advisory", "published", "published_at"],
    ["security_advisory", "security_advisory", "withdrawn", "withdrawn_at"],
    ["workflow_job", "workflow_job", "completed", "completed_at"],
    ["workflow_job", "workflow_job", "in_progress", "started_at"],
    ["workflow_job", "workflow_job", "queued", "created_at"],
    ["workflow_job", "workflow_job", "waiting", "created_at"],
  ];
  for (const [event, key, action, time] of cases) {
    const object = { id: 1, updated_at: "2026-03-01T00:00:00Z", [time]: "2026-03-02T00:00:00Z" };
    const { occurredAt } = one(event, { action, [key]: object, ...rest });
    equal(occurredAt.toISOString(), "2026-03-02T00:00:00.000Z", `${event}.${action} by ${time}`);
    if (time === "updated_at") continue;
    const without = { id: 1, updated_at: "2026-03-01T00:00:00Z" };
    equal(one(event, { action, [key]: without, ...rest }).occurredAt.toISOString(), "2026-03-01T00:00:00.000Z");
  }
});

Deno.test("generic: what is older than the event does not tell when it happened", () => {
  const repository = { ...REPOSITORY, updated_at: "2026-03-02T00:00:00Z" };
  deepEqual(one("watch", { action: "started", ...rest, repository }).occurredAt, RECEIVED_AT);
  equal(
    one("repository", { action: "renamed", ...rest, repository }).occurredAt.toISOString(),
    "2026-03-02T00:00:00.000Z",
  );
});

Deno.test("generic: a deletion is dated by its arrival unless GitHub tells when it was", () => {
  const it = { id: 1, updated_at: "2026-03-02T00:00:00Z" };
  deepEqual(one("milestone", { action: "deleted", milestone: it, ...rest }).occurredAt, RECEIVED_AT);
  const deleted = { ...it, deleted_at: "2026-03-03T00:00:00Z" };
  const draft = one("projects_v2", { action: "deleted", projects_v2: deleted, sender: SENDER });
  equal(draft.occurredAt.toISOString(), "2026-03-03T00:00:00.000Z");
});

Deno.test("generic: an alert, which has no id, is identified by repository and number", () => {
  const alert = { number: 10, created_at: "2026-01-01T00:00:00Z", dismissed_at: "2026-03-02T00:00:00Z" };
  const closed = one("code_scanning_alert", { action: "closed_by_user", alert, ref: "refs/heads/main", ...rest });
  equal(closed.occurredAt.toISOString(), "2026-03-02T00:00:00.000Z");
  deepEqual(closed.subject, { type: "code_scanning_alert", id: "42#10" });
  const draft = one("dependabot_alert", { action: "fixed", alert: { number: 20, state: "fixed" }, ...rest });
  deepEqual(draft.subject, { type: "dependabot_alert", id: "42#20" });
});

Deno.test("generic: a request to dismiss an alert is told, which GitHub documents for Enterprise Cloud only", () => {
  const exemption_request = {
    id: 12,
    number: 3,
    status: "pending",
    request_type: "code_scanning_alert_dismissal",
    requester_login: "mira",
    resource_identifier: "acme/rover/7",
    html_url: "https://github.com/acme/rover/security/code-scanning/7",
    created_at: "2026-03-02T00:00:00Z",
  };
  const draft = one("dismissal_request_code_scanning", { action: "created", exemption_request, ...rest });
  deepEqual([draft.type, draft.subject.type, draft.subject.id], ["github.event.received", "exemption_request", "12"]);
  deepEqual([draft.payload.object?.number, draft.payload.object?.state], [3, "pending"]);
  equal(draft.payload.details?.requestType, "code_scanning_alert_dismissal");
  equal(draft.occurredAt.toISOString(), "2026-03-02T00:00:00.000Z");
});

Deno.test("generic: where the main object has no identity, the repository is the subject, else the organization", () => {
  const organization = { id: 90, login: "acme" };
  const merge_group = { head_ref: "x" };
  const body = { action: "checks_requested", merge_group, ...rest, organization };
  deepEqual(one("merge_group", body).subject.type, "repository");
  deepEqual(one("merge_group", { ...body, repository: undefined }).subject, {
    type: "organization",
    id: "90",
    name: "acme",
  });
});

Deno.test("generic: where there is nothing else, the event itself is the subject", () => {
  deepEqual(one("added_later", {}).subject, { type: "event", id: "a-delivery", name: "added_later" });
});

Deno.test("generic: other objects that an event is about stand under related", () => {
  const body = {
    action: "created",
    comment: { id: 1, body: "Hi" },
    discussion: { id: 2, number: 3, title: "T" },
    ...rest,
  };
  const { payload } = one("discussion_comment", body);
  equal(payload.object?.body, "Hi");
  deepEqual([payload.related?.discussion?.number, payload.related?.discussion?.name], [3, "T"]);
});

Deno.test("generic: pages of a wiki and repositories of an installation stand under items", () => {
  const pages = [{ page_name: "Home", title: "Home", action: "edited", html_url: "u" }, { title: "FAQ" }];
  deepEqual(one("gollum", { pages, ...rest }).payload.items?.map(({ type, name }) => [type, name]), [
    ["wiki_page", "Home"],
    ["wiki_page", "FAQ"],
  ]);
  const added = {
    installation: { id: 5 },
    repositories_added: [{ id: 1, full_name: "a/b" }],
    repositories_removed: [],
  };
  const draft = one("installation_repositories", { action: "added", ...added, sender: SENDER });
  deepEqual(draft.payload.items?.map(({ type, name }) => [type, name]), [["repository", "a/b"]]);
  deepEqual([draft.subject.type, draft.subject.id], ["installation", "5"]);
});

Deno.test("generic: what the main object has beside the essentials of all stands under details", () => {
  const workflow_job = { id: 7, name: "lint", run_id: 29, workflow_name: "CI", head_branch: null, labels: ["x"] };
  const { details } = one("workflow_job", { action: "queued", workflow_job, ...rest }).payload;
  deepEqual(details, { runId: 29, workflowName: "CI" });
  const comment = { id: 1, body: "Hm", path: "README.md", line: 7 };
  const about = one("pull_request_review_comment", { action: "created", comment, pull_request: { id: 2 }, ...rest });
  deepEqual(about.payload.details, { path: "README.md", line: 7 });
  equal("details" in one("label", { action: "deleted", label: null, ...rest }).payload, false);
});

Deno.test("generic: an edit tells the single values that it replaced, and a renamed repository its old name", () => {
  const changesOf = (event: string, body: Record<string, unknown>) => one(event, { ...body, ...rest }).payload.changes;
  const label = { id: 1, name: "bug" };
  deepEqual(changesOf("label", { action: "edited", label, changes: { name: { from: "bgu" }, color: {} } }), {
    name: { from: "bgu" },
  });
  deepEqual(changesOf("repository", { action: "renamed", changes: { repository: { name: { from: "rovr" } } } }), {
    name: { from: "rovr" },
  });
  const permissions = { old_permission: { from: "read" }, permission: { from: null, to: "write" }, by: 1 };
  deepEqual(changesOf("member", { action: "edited", member: { id: 1 }, changes: permissions }), {
    oldPermission: { from: "read" },
    permission: { from: null, to: "write" },
  });
});

Deno.test("generic: an edit tells what it names whole by its name, and leaves out what has none", () => {
  const changesOf = (event: string, body: Record<string, unknown>) => one(event, { ...body, ...rest }).payload.changes;
  const category = { category: { from: { id: 1, name: "Ideas" } } };
  deepEqual(changesOf("discussion", { action: "category_changed", discussion: { id: 1 }, changes: category }), {
    category: { from: "Ideas" },
  });
  const owner = { from: { organization: { id: 9, login: "acme" } } };
  deepEqual(changesOf("repository", { action: "transferred", changes: { owner } }), { owner: { from: "acme" } });
  const repository = { permissions: { from: { admin: true, pull: true } } };
  deepEqual(changesOf("team", { action: "edited", team: { id: 1 }, changes: { repository } }), undefined);
});

Deno.test("generic: a created ref is ref.created, not the branch.created of the push that GitHub sends beside it", () => {
  const draft = one("create", { ref: "v1", ref_type: "tag", ...rest });
  equal(draft.type, "github.ref.created");
  deepEqual(draft.payload.details, { ref: "v1", refType: "tag" });
});

Deno.test("generic: a repository_dispatch has one type; its own action and data stand in the payload", () => {
  const body = { action: "Deploy to: prod!", branch: "main", client_payload: { unit: "rover-3" }, ...rest };
  const draft = one("repository_dispatch", body);
  equal(draft.type, "github.repository_dispatch.triggered");
  deepEqual([draft.payload.action, draft.payload.data], ["Deploy to: prod!", { unit: "rover-3" }]);
});

Deno.test("generic: a workflow_dispatch tells workflow, ref and inputs, which may be none", () => {
  const body = { workflow: ".github/workflows/a.yml", ref: "refs/heads/main", inputs: { dry: "true" }, ...rest };
  const { payload } = one("workflow_dispatch", body);
  deepEqual(payload.details, { ref: "refs/heads/main", workflow: ".github/workflows/a.yml" });
  deepEqual(payload.data, { dry: "true" });
  equal("data" in one("workflow_dispatch", { ...body, inputs: null }).payload, false);
});

Deno.test("generic: an essential of an unexpected kind is left out, for we know little of these objects", () => {
  const { payload } = one("package", {
    action: "published",
    package: { id: 1, name: {}, state: 5, user: "x" },
    ...rest,
  });
  deepEqual([payload.object?.id, payload.object?.name, payload.object?.state, payload.object?.user], [
    1,
    null,
    null,
    null,
  ]);
});

Deno.test("generic: an object that was deleted is null and the event is still told", () => {
  const draft = one("member", { action: "removed", member: null, ...rest });
  equal(draft.type, "github.member.removed");
  equal("object" in draft.payload, false);
  equal(draft.subject.type, "repository");
});
