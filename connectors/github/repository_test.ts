import { deepEqual, equal } from "node:assert/strict";
import {
  githubForkPayloadSchema,
  githubReleasePayloadSchema,
  githubStarPayloadSchema,
  githubWorkflowRunPayloadSchema,
} from "@inlet/github-events";
import { normalized, RECEIVED_AT, REPOSITORY, SENDER } from "./testing.ts";

const rest = { repository: REPOSITORY, sender: SENDER };

function timeOf(event: string, body: Record<string, unknown>): string | undefined {
  return normalized(event, { ...body, ...rest })[0]?.occurredAt.toISOString();
}

Deno.test("star: dated by GitHub when it is given, by its arrival when it is taken back", () => {
  equal(timeOf("star", { action: "created", starred_at: "2026-03-02T15:17:36Z" }), "2026-03-02T15:17:36.000Z");
  equal(timeOf("star", { action: "deleted", starred_at: null }), RECEIVED_AT.toISOString());
  const [draft] = normalized("star", { action: "deleted", starred_at: null, ...rest });
  equal(githubStarPayloadSchema.parse(draft?.payload).starredAt, null);
});

Deno.test("fork: the fork is the subject, and the payload tells it from the repository it was made of", () => {
  const forkee = { ...REPOSITORY, id: 43, full_name: "jonas/rover", created_at: "2026-03-02T16:00:00Z" };
  const [draft] = normalized("fork", { forkee, ...rest });
  deepEqual([draft?.type, draft?.subject.type, draft?.subject.id], ["github.fork.created", "fork", "43"]);
  equal(draft?.occurredAt.toISOString(), "2026-03-02T16:00:00.000Z");
  const payload = githubForkPayloadSchema.parse(draft.payload);
  deepEqual([payload.fork.fullName, payload.repository.fullName], ["jonas/rover", "acme/rover"]);
});

const release = {
  id: 51,
  tag_name: "v1.4.0",
  name: "",
  author: SENDER,
  created_at: "2020-01-01T00:00:00Z",
  published_at: "2026-03-02T17:00:00Z",
};

Deno.test("release: never dated by created_at, which is the time of the commit", () => {
  equal(timeOf("release", { action: "published", release }), "2026-03-02T17:00:00.000Z");
  equal(
    timeOf("release", { action: "created", release: { ...release, published_at: null } }),
    RECEIVED_AT.toISOString(),
  );
  equal(timeOf("release", { action: "deleted", release }), RECEIVED_AT.toISOString());
  equal(timeOf("release", { action: "edited", release }), RECEIVED_AT.toISOString());
  const updated = { ...release, updated_at: "2026-03-04T00:00:00Z" };
  equal(timeOf("release", { action: "edited", release: updated }), "2026-03-04T00:00:00.000Z");
});

Deno.test("release: named by its tag if it has no name, and an edit tells what was replaced", () => {
  const changes = { tag_name: { from: "v1.3.9" }, make_latest: { to: true } };
  const [draft] = normalized("release", { action: "edited", release, changes, ...rest });
  equal(draft?.subject.name, "v1.4.0");
  deepEqual(githubReleasePayloadSchema.parse(draft.payload).changes, { tag: { from: "v1.3.9" } });
});

Deno.test("release: its files are told with where to download them", () => {
  const asset = {
    id: 1,
    name: "rover.bin",
    content_type: "application/octet-stream",
    size: 2,
    browser_download_url: "u",
  };
  const [draft] = normalized("release", { action: "published", release: { ...release, assets: [asset] }, ...rest });
  deepEqual(githubReleasePayloadSchema.parse(draft?.payload).release.assets, [
    { id: 1, name: "rover.bin", contentType: "application/octet-stream", size: 2, url: "u" },
  ]);
});

const run = {
  id: 61,
  name: "Test",
  head_sha: "e".repeat(40),
  run_attempt: 2,
  event: "push",
  status: "completed",
  conclusion: "failure",
  pull_requests: [{ id: 11, number: 118 }],
  created_at: "2026-03-01T00:00:00Z",
  run_started_at: "2026-03-02T18:00:00Z",
  updated_at: "2026-03-02T18:05:00Z",
};

Deno.test("workflow_run: a re-run is dated by its own start, and the end by the last update", () => {
  equal(timeOf("workflow_run", { action: "requested", workflow_run: run }), "2026-03-02T18:00:00.000Z");
  equal(timeOf("workflow_run", { action: "completed", workflow_run: run }), "2026-03-02T18:05:00.000Z");
});

Deno.test("workflow_run: tells how it ended, what started it and which workflow it is of", () => {
  const workflow = { id: 71, name: "Test", path: ".github/workflows/test.yml", state: "active" };
  const [draft] = normalized("workflow_run", { action: "completed", workflow_run: run, workflow, ...rest });
  const payload = githubWorkflowRunPayloadSchema.parse(draft?.payload);
  deepEqual(
    [payload.workflowRun.conclusion, payload.workflowRun.trigger, payload.workflowRun.pullRequests],
    ["failure", "push", [118]],
  );
  deepEqual(payload.workflow, { id: 71, name: "Test", path: ".github/workflows/test.yml" });
});
