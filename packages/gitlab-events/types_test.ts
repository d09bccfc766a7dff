import { deepEqual, equal, ok } from "node:assert/strict";
import { EVENT_TYPE_PATTERN } from "@inlet/events-core";
import { z } from "zod";
import {
  GITLAB_ACTIONS,
  GitlabEventType,
  gitlabEventTypes,
  gitlabGenericPayloadSchema,
  type GitlabPayload,
  gitlabPayloadSchemas,
  gitlabPrPayloadSchema,
  isGitlabEventType,
} from "./mod.ts";

Deno.test("types are unique, sorted and of the envelope's pattern", () => {
  deepEqual([...new Set(gitlabEventTypes)].sort(), gitlabEventTypes);
  equal(gitlabEventTypes.length, Object.values(GITLAB_ACTIONS).flat().length);
  for (const type of gitlabEventTypes) ok(EVENT_TYPE_PATTERN.test(type), type);
});

Deno.test("a constant's name is its value in capitals", () => {
  equal(GitlabEventType.PR_MERGED, "gitlab.pr.merged");
  equal(GitlabEventType.COMMIT_PUSHED, "gitlab.commit.pushed");
  equal(GitlabEventType.EVENT_RECEIVED, "gitlab.event.received");
});

Deno.test("isGitlabEventType knows the types and nothing else", () => {
  equal(gitlabEventTypes.every(isGitlabEventType), true);
  for (const type of ["gitlab.pr.added_later", "github.pr.opened", "toString", ""]) {
    equal(isGitlabEventType(type), false, type);
  }
});

Deno.test("every event type has a payload schema that strips what it does not know", () => {
  deepEqual(Object.keys(gitlabPayloadSchemas), [...gitlabEventTypes]);
  const payload: GitlabPayload<"gitlab.milestone.closed"> = gitlabGenericPayloadSchema.parse({
    event: "milestone",
    action: "close",
    object: {
      type: "milestone",
      id: 61,
      ...noneOf(["number", "name", "state", "severity", "body", "url", "createdAt", "updatedAt", "expiresAt"]),
    },
  });
  deepEqual(gitlabPayloadSchemas["gitlab.milestone.closed"].parse({ ...payload, more: 1 }), payload);
  equal(gitlabPayloadSchemas["gitlab.pr.merged"], gitlabPrPayloadSchema);
  for (const schema of Object.values(gitlabPayloadSchemas)) ok(schema instanceof z.ZodObject);
});

function noneOf(keys: readonly string[]): Record<string, null> {
  return Object.fromEntries(keys.map((key) => [key, null]));
}
