import assert from "node:assert/strict";
import { formatViolation, lineAt } from "./source.ts";

Deno.test("formatViolation writes the place, what is wrong and what to do instead on one line", () => {
  const violation = { file: "a.ts", line: 3, wrong: "This is wrong", instead: "Do that" };
  assert.equal(formatViolation(violation), "a.ts:3: This is wrong. Do that.");
});

Deno.test("lineAt counts from 1", () => {
  assert.deepEqual([0, 1, 2, 3].map((index) => lineAt("a\nb\n", index)), [1, 1, 2, 2]);
});
