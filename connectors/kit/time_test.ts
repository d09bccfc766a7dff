import assert from "node:assert/strict";
import { instant } from "./time.ts";

const OTHERWISE = new Date(5);

for (
  const [value, expected] of [
    ["2019-05-15T15:20:30+02:00", "2019-05-15T13:20:30.000Z"],
    ["2019-05-15T15:20:30.123456Z", "2019-05-15T15:20:30.123Z"],
    ["2019-05-15T15:20:30", "2019-05-15T15:20:30.000Z"],
    ["2019-05-15", "2019-05-15T00:00:00.000Z"],
    [1_557_933_565, "2019-05-15T15:19:25.000Z"],
  ] as const
) {
  Deno.test(`instant reads ${value} as ${expected}, wherever the machine is`, () => {
    assert.equal(instant(value, OTHERWISE).toISOString(), expected);
  });
}

for (
  const value of [null, undefined, "", "yesterday", {}, NaN, Infinity, "2019-13-45", "+012345-01-01T00:00:00Z", 1e12]
) {
  Deno.test(`instant takes another time instead of ${JSON.stringify(value)}`, () => {
    assert.equal(instant(value, OTHERWISE), OTHERWISE);
  });
}
