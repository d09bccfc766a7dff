import assert from "node:assert/strict";
import { KEEP_OLD_CHOICES, keepOldMs } from "./keep_old.ts";

Deno.test("keepOldMs reads each choice, nothing as not at all, and refuses what is none", () => {
  const read = (value: string) => keepOldMs(new URLSearchParams({ "keep-old": value }));
  assert.deepEqual(KEEP_OLD_CHOICES.map(({ value }) => read(value)), [0, 3_600_000, 86_400_000, 604_800_000]);
  assert.equal(keepOldMs(new URLSearchParams()), 0);
  for (const value of ["", "8d", "1"]) assert.equal(read(value), undefined);
});
