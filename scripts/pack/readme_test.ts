import assert from "node:assert/strict";
import { descriptionOf, standingAlone } from "./readme.ts";

const README =
  "# @inlet/sample\n\nWhat the `sample` of [Inlet](../../README.md)\nemits.\n\nSee [zod](https://zod.dev).\n";

Deno.test("standingAlone leaves of links into the repository their text", () => {
  assert.equal(standingAlone("[a](../a.md#b), [c](./c.md) and [d](https://d)"), "a, c and [d](https://d)");
});

Deno.test("descriptionOf gives the first paragraph in one line, and an error if there is none", () => {
  assert.equal(descriptionOf(README), "What the sample of Inlet emits.");
  for (const none of ["", "No title", "# A title\n"]) assert.throws(() => descriptionOf(none), /Cannot describe/);
});
