import { deepEqual, equal, ok } from "node:assert/strict";
import { EVENT_TYPE_PATTERN } from "@inlet/events-core";
import {
  GITEA_ACTIONS,
  GiteaEventType,
  giteaEventTypes,
  type GiteaPayload,
  giteaPayloadSchemas,
  giteaPrPayloadSchema,
  giteaRefChangePayloadSchema,
  isGiteaEventType,
} from "./mod.ts";

Deno.test("types are unique, sorted and of the envelope's pattern", () => {
  deepEqual([...new Set(giteaEventTypes)].sort(), giteaEventTypes);
  equal(giteaEventTypes.length, Object.values(GITEA_ACTIONS).flat().length);
  for (const type of giteaEventTypes) ok(EVENT_TYPE_PATTERN.test(type), type);
});

Deno.test("a constant's name is its value in capitals", () => {
  equal(GiteaEventType.PR_REVIEW_REQUESTED, "gitea.pr.review_requested");
  equal(GiteaEventType.COMMIT_PUSHED, "gitea.commit.pushed");
});

Deno.test("isGiteaEventType knows the types and nothing else", () => {
  equal(giteaEventTypes.every(isGiteaEventType), true);
  for (const type of ["gitea.pr.added_later", "github.pr.opened", "toString", ""]) {
    equal(isGiteaEventType(type), false, type);
  }
});

Deno.test("every event type has a payload schema that strips what it does not know", () => {
  deepEqual(Object.keys(giteaPayloadSchemas), [...giteaEventTypes]);
  equal(giteaPayloadSchemas["gitea.pr.closed"], giteaPrPayloadSchema);
  const repository = { id: 1, fullName: "a/b", private: true, url: null, defaultBranch: null, createdAt: null };
  const payload: GiteaPayload<"gitea.ref.deleted"> = { ref: "main", refType: "branch", sha: null, repository };
  deepEqual(giteaRefChangePayloadSchema.parse({ ...payload, more: 1 }), payload);
});
