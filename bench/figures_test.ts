import assert from "node:assert/strict";
import { type Finding, isMet, median, ratioOf } from "./figures.ts";

const finding: Finding = { what: "it", unit: "/s", samples: [10, 30, 20] };
const against = { what: "another", samples: [10, 60, 16] };

Deno.test("median is the sample in the middle, or the mean of the two there", () => {
  assert.equal(median([5, 1, 3]), 3);
  assert.equal(median([4, 1, 3, 2]), 2.5);
  assert.ok(Number.isNaN(median([])));
});

Deno.test("ratioOf is the median of the rounds' ratios, and there is none without another", () => {
  assert.equal(ratioOf({ ...finding, against }), 1);
  assert.equal(ratioOf(finding), undefined);
});

Deno.test("isMet compares the ratio with what was promised, and says nothing where nothing was", () => {
  assert.equal(isMet({ ...finding, against, reach: { least: 1 } }), true);
  assert.equal(isMet({ ...finding, against, reach: { least: 1.01 } }), false);
  assert.equal(isMet({ ...finding, against, reach: { most: 1 } }), true);
  assert.equal(isMet({ ...finding, against, reach: { most: 0.99 } }), false);
  assert.equal(isMet({ ...finding, against }), undefined);
  assert.equal(isMet({ ...finding, reach: { least: 1 } }), undefined);
});
