import assert from "node:assert/strict";
import { rowAfterKey, rowsInSight, scrollTo } from "./rows.ts";

const sight = { scrollTop: 0, height: 100, rowHeight: 10 };

Deno.test("rowsInSight gives the rows in sight and a few more, never others than there are", () => {
  assert.deepEqual(rowsInSight(sight, 1000), { first: 0, end: 16 });
  assert.deepEqual(rowsInSight({ ...sight, scrollTop: 500 }, 1000), { first: 44, end: 66 });
  assert.deepEqual(rowsInSight(sight, 3), { first: 0, end: 3 });
  assert.deepEqual(rowsInSight({ ...sight, scrollTop: 9000 }, 20), { first: 14, end: 20 });
  assert.deepEqual(rowsInSight(sight, 0), { first: 0, end: 0 });
});

Deno.test("scrollTo scrolls as little as possible", () => {
  assert.equal(scrollTo(3, sight), 0);
  assert.equal(scrollTo(10, sight), 10);
  assert.equal(scrollTo(2, { ...sight, scrollTop: 50 }), 20);
});

Deno.test("rowAfterKey stays within the list", () => {
  assert.equal(rowAfterKey("ArrowDown", -1, 5, sight), 0);
  assert.equal(rowAfterKey("ArrowDown", 4, 5, sight), 4);
  assert.equal(rowAfterKey("ArrowUp", 0, 5, sight), 0);
  assert.equal(rowAfterKey("PageDown", 0, 50, sight), 9);
  assert.equal(rowAfterKey("End", 0, 50, sight), 49);
  assert.equal(rowAfterKey("Home", 7, 50, sight), 0);
  assert.equal(rowAfterKey("x", 0, 5, sight), undefined);
  assert.equal(rowAfterKey("toString", 0, 5, sight), undefined);
});
