import { deepEqual, equal, notEqual, throws } from "node:assert/strict";
import { z } from "zod";
import {
  githubCommitPayloadSchema,
  GithubEventType,
  githubEventTypes,
  githubGenericPayloadSchema,
  type GithubPayload,
  githubPayloadSchemas,
  githubPrPayloadSchema,
  githubRefPayloadSchema,
} from "./mod.ts";

const repository = {
  id: 42,
  fullName: "acme/rover",
  private: false,
  url: null,
  defaultBranch: "main",
  createdAt: null,
  pushedAt: "2026-03-02T10:41:08.000Z",
};

Deno.test("every event type has exactly one payload schema", () => {
  deepEqual(Object.keys(githubPayloadSchemas).sort(), [...githubEventTypes]);
  for (const schema of Object.values(githubPayloadSchemas)) equal(schema instanceof z.ZodObject, true);
});

Deno.test("the entities with payloads of their own have them in all their types, all others the generic one", () => {
  const typed = new Set(
    githubEventTypes.filter((type) => githubPayloadSchemas[type] !== githubGenericPayloadSchema)
      .map((type) => type.split(".")[1]),
  );
  deepEqual([...typed].sort(), [
    "branch",
    "commit",
    "fork",
    "issue",
    "issue_comment",
    "pr",
    "pr_review",
    "release",
    "star",
    "tag",
    "workflow_run",
  ]);
  equal(githubPayloadSchemas[GithubEventType.PR_MILESTONED], githubPrPayloadSchema);
  equal(githubPayloadSchemas[GithubEventType.TAG_DELETED], githubRefPayloadSchema);
  equal(githubPayloadSchemas[GithubEventType.COMMIT_PUSHED], githubCommitPayloadSchema);
});

Deno.test("a payload's static type follows from the event type", () => {
  const star: GithubPayload<"github.star.created"> = githubPayloadSchemas[GithubEventType.STAR_CREATED]
    .parse({ starredAt: null, repository });
  equal(star.repository.fullName, "acme/rover");
  const generic: GithubPayload<typeof GithubEventType.CHECK_RUN_CREATED> = githubPayloadSchemas[
    GithubEventType.CHECK_RUN_CREATED
  ].parse({ event: "check_run", action: "created" });
  equal(generic.action, "created");
});

Deno.test("a schema strips what it does not know, so that a consumer outlives an addition", () => {
  const schema = githubPayloadSchemas[GithubEventType.STAR_CREATED];
  deepEqual(schema.parse({ starredAt: null, repository, addedLater: 1 }), { starredAt: null, repository });
});

Deno.test("a schema refuses what is not as it says", () => {
  const schema = githubPayloadSchemas[GithubEventType.STAR_CREATED];
  throws(() => schema.parse({ repository }));
  throws(() => schema.parse({ starredAt: "yesterday", repository }));
  throws(() => schema.parse({ starredAt: null, repository: { ...repository, id: "42" } }));
});

Deno.test("every schema can be written as JSON Schema, for consumers in other languages", () => {
  for (const schema of new Set(Object.values(githubPayloadSchemas))) {
    notEqual(z.toJSONSchema(schema).properties, undefined);
  }
});
