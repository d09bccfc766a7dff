import assert from "node:assert/strict";
import { minuteOf, niceTop, seriesShown } from "./chart.ts";

Deno.test("seriesShown puts the busiest first, and all beyond the fifth of more than six into one", () => {
  const series = Array.from({ length: 8 }, (_, index) => ({ name: `s${index}`, perMinute: [index, 1] }));
  assert.deepEqual(seriesShown(series).map(({ name }) => name), ["s7", "s6", "s5", "s4", "s3", "3 others"]);
  assert.deepEqual(seriesShown(series).at(-1)?.perMinute, [3, 3]);
});

Deno.test("seriesShown leaves out sources without events", () => {
  assert.deepEqual(seriesShown([{ name: "a", perMinute: [0, 0] }]), []);
});

Deno.test("niceTop gives a round number that is no less", () => {
  assert.deepEqual([0, 1, 3, 12, 20, 21, 501, 99_999].map(niceTop), [1, 1, 5, 20, 20, 50, 1000, 100_000]);
});

Deno.test("minuteOf gives the present minute for the last", () => {
  const now = new Date("2026-01-02T00:04:05Z");
  assert.deepEqual([minuteOf(now, 59, 60), minuteOf(now, 0, 60)], ["00:04", "23:05"]);
});
