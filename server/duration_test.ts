import assert from "node:assert/strict";
import { durationOrNoneSchema, durationSchema } from "./duration.ts";

Deno.test("a duration is read in every unit, into milliseconds", () => {
  for (
    const [text, ms] of [["250ms", 250], ["7s", 7000], ["2m", 120_000], ["24h", 86_400_000], ["0d", 0], [
      "36500d",
      3_153_600_000_000,
    ]] as const
  ) {
    assert.equal(durationSchema.parse(text), ms);
    assert.equal(durationOrNoneSchema.parse(text), ms);
  }
});

Deno.test("0 without a unit is a duration only where it means not at all", () => {
  assert.equal(durationOrNoneSchema.parse("0"), 0);
  assert.throws(() => durationSchema.parse("0"), { name: "ZodError" });
});

Deno.test("what is no duration is refused with what was expected", () => {
  for (const value of ["", "1", "1.5h", "-1h", "1 h", "h", "1w", "36501d", "9".repeat(400) + "ms", 1, null]) {
    for (const schema of [durationSchema, durationOrNoneSchema]) {
      const [issue, ...others] = schema.safeParse(value).error?.issues ?? [];
      assert.deepEqual(others, []);
      assert.match(issue?.message ?? "", /^expected a duration such as/);
    }
  }
});
