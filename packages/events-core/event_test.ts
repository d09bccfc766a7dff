import assert from "node:assert/strict";
import { EVENT_TYPE_PATTERN, normalizedEventSchema } from "./event.ts";

const EVENT = {
  id: "fb56ac83-6fc3-566a-a55e-09c93485a197",
  type: "github.pr.opened",
  workspaceId: "8f14e45f-ceea-467f-a8b8-1d2f6e0b9c11",
  occurredAt: "2026-01-02T03:04:05.678Z",
  source: "github",
  actor: { type: "user", id: "1", name: "octocat" },
  subject: { type: "pr", id: "7" },
  payload: { number: 7 },
};

Deno.test("normalizedEventSchema accepts an event", () => {
  assert.deepEqual(normalizedEventSchema.parse(EVENT), EVENT);
});

for (
  const [what, change] of [
    ["an id that is no UUID", { id: "7" }],
    ["a type of two segments", { type: "github.opened" }],
    ["a time without milliseconds", { occurredAt: "2026-01-02T03:04:05Z" }],
    ["a time with an offset", { occurredAt: "2026-01-02T03:04:05.678+01:00" }],
    ["no actor", { actor: undefined }],
    ["an actor of unknown type", { actor: { type: "cat", id: "1" } }],
    ["an empty subject id", { subject: { type: "pr", id: "" } }],
    ["a payload that is a list", { payload: [] }],
  ] as const
) {
  Deno.test(`normalizedEventSchema refuses ${what}`, () => {
    assert.equal(normalizedEventSchema.safeParse({ ...EVENT, ...change }).success, false);
  });
}

Deno.test("EVENT_TYPE_PATTERN takes three segments in lower case and nothing else", () => {
  for (const type of ["a.b.c", "github.pr_review.ready_for_review", "my-app.x1.y-z"]) {
    assert.match(type, EVENT_TYPE_PATTERN);
  }
  for (const type of ["", "a.b", "a.b.c.d", "A.b.c", "a..c", "a.b.", ".a.b", "a.b.c\n", "a.b.*"]) {
    assert.doesNotMatch(type, EVENT_TYPE_PATTERN);
  }
});
