import assert from "node:assert/strict";
import { searcher } from "./search.ts";

const opened = {
  type: "github.pr.opened",
  title: "GitHub: PR opened",
  description: "A pull request was opened, ready for review or as a draft.",
};

for (
  const [search, finds] of [
    ["", true],
    ["  ", true],
    ["pr.open", true],
    ["Draft github", true],
    ["draft gitlab", false],
    ["github.*.opened", true],
    ["github.#", true],
    ["github.*", false],
    ["#.#.#.closed", false],
  ] as const
) {
  Deno.test(`searcher: "${search}" ${finds ? "finds" : "does not find"} ${opened.type}`, () => {
    assert.equal(searcher(search)(opened), finds);
  });
}
