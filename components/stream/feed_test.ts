import assert from "node:assert/strict";
import { Feed } from "./feed.ts";

const ALL = { type: "", source: "", text: "" };

function messages(...ids: readonly (string | number)[]) {
  return ids.map((id) => ({
    id: String(id),
    data: JSON.stringify({ id: String(id), type: `sample.thing.${Number(id) % 2 ? "odd" : "even"}`, source: "sample" }),
  }));
}

const idsOf = (feed: Feed) => feed.matched.map(({ id }) => id);

Deno.test("Feed drops what came before, also after clear()", () => {
  const feed = new Feed(ALL);
  assert.equal(feed.add(messages(1, 2, 1), 0), 2);
  feed.clear();
  assert.equal(feed.add(messages(2, 3), 0), 1);
  assert.deepEqual(idsOf(feed), ["3"]);
  assert.deepEqual(feed.counts, { came: 1, held: 1, older: 0, waiting: 0 });
});

Deno.test("Feed holds the newest events only, and counts the others", () => {
  const feed = new Feed({ ...ALL, type: "*.*.odd" }, { events: 4, chars: 1000 });
  feed.add(messages(1, 2, 3, 4, 5, 6), 0);
  assert.deepEqual(idsOf(feed), ["3", "5"]);
  assert.deepEqual(feed.counts, { came: 6, held: 4, older: 2, waiting: 0 });
  feed.add(messages(8, 10, 12, 14), 0);
  assert.deepEqual(idsOf(feed), []);
});

Deno.test("Feed holds no more characters than it may, but the newest event always", () => {
  const feed = new Feed(ALL, { events: 10, chars: 150 });
  feed.add(messages(1, 2, 3), 0);
  assert.deepEqual(idsOf(feed), ["2", "3"]);
  const [long = assert.fail()] = messages("x".repeat(500));
  feed.add([long], 0);
  assert.equal(feed.matched.length, 1);
});

Deno.test("Feed lets events wait while it is paused, in the same bounds, and shows them then", () => {
  const feed = new Feed(ALL, { events: 3, chars: 1000 });
  feed.add(messages(1, 2), 0);
  feed.pause();
  assert.equal(feed.add(messages(3, 4, 5, 6, 7), 0), 0);
  assert.deepEqual(idsOf(feed), ["1", "2"]);
  assert.equal(feed.counts.waiting, 5);
  feed.resume();
  assert.deepEqual(idsOf(feed), ["5", "6", "7"]);
  assert.deepEqual(feed.counts, { came: 7, held: 3, older: 4, waiting: 0 });
});

Deno.test("Feed filters what it holds anew, also while it is paused", () => {
  const feed = new Feed(ALL);
  feed.add(messages(1, 2, 3), 0);
  feed.pause();
  feed.filter({ ...ALL, type: "sample.thing.e" });
  assert.deepEqual(idsOf(feed), ["2"]);
  feed.add(messages(4, 5), 0);
  assert.equal(feed.resume(), 1);
  assert.deepEqual(idsOf(feed), ["2", "4"]);
});

Deno.test("Feed passes over what is no event", () => {
  const feed = new Feed(ALL);
  feed.add(["", "null", "7", "[]", "{}", '{"id":1,"type":"x"}', "{"].map((data) => ({ id: data, data })), 0);
  assert.equal(feed.counts.came, 0);
});
