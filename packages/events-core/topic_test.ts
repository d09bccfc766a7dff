import assert from "node:assert/strict";
import { topicMatches } from "./topic.ts";

for (
  const [pattern, key, matches] of [
    ["github.pr.opened", "github.pr.opened", true],
    ["github.pr.opened", "github.pr.closed", false],
    ["github.*.opened", "github.pr.opened", true],
    ["github.*", "github.pr.opened", false],
    ["*.*.*", "github.pr.opened", true],
    ["*", "github", true],
    ["#", "github.pr.opened", true],
    ["#", "", true],
    ["github.#", "github.pr.opened", true],
    ["github.#", "github", true],
    ["github.#", "gitlab.pr.opened", false],
    ["#.opened", "github.pr.opened", true],
    ["#.opened", "github.pr.closed", false],
    ["github.#.opened", "github.opened", true],
    ["#.pr.#", "github.pr.opened", true],
    ["#.*", "", false],
    ["", "", true],
    ["github.pr", "github.pr.opened", false],
  ] as const
) {
  Deno.test(`topicMatches: "${pattern}" ${matches ? "matches" : "does not match"} "${key}"`, () => {
    assert.equal(topicMatches(pattern, key), matches);
  });
}

Deno.test("topicMatches: a pattern of many # is as fast as any", () => {
  // To try every way in which they could share the words would take years.
  assert.equal(topicMatches(`${"#.".repeat(50)}end`, Array.from({ length: 50 }, () => "word").join(".")), false);
});
