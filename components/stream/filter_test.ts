import assert from "node:assert/strict";
import { readEvent } from "./event.ts";
import { matcher, readFilter, type StreamFilter, writeFilter } from "./filter.ts";

function matches(filter: Partial<StreamFilter>, text = ""): boolean {
  const json = JSON.stringify({ id: "1", type: "sample.thing.made", source: "sample", payload: { text } });
  const event = readEvent(json, 0, 0) ?? assert.fail();
  return matcher({ type: "", source: "", text: "", ...filter })(event);
}

Deno.test("a filter without values leaves every event", () => {
  assert.ok(matches({}));
});

Deno.test("a type without wildcards is the beginning of a type", () => {
  assert.ok(matches({ type: "sample.th" }));
  assert.ok(matches({ type: " sample.thing.made " }));
  assert.ok(!matches({ type: "thing" }));
});

Deno.test("a type with wildcards is a pattern of a topic exchange", () => {
  for (const type of ["*.thing.*", "#", "sample.#", "#.made", "#.#.#.#.#.#.#.#.#.made"]) {
    assert.ok(matches({ type }), type);
  }
  for (const type of ["*", "*.thing", "sample.*", "#.th", "thing.#"]) assert.ok(!matches({ type }), type);
});

Deno.test("a source is meant whole", () => {
  assert.ok(matches({ source: "sample" }));
  assert.ok(!matches({ source: "sam" }));
});

Deno.test("a text is found anywhere, in any case, and as it reads and not as JSON writes it", () => {
  const text = 'She said "No (way)" \\ .* \n Grüße 🚀';
  for (const wanted of ['"no (WAY)"', "\\ .*", "GRÜSSE".slice(0, 3), "🚀", "SAMPLE"]) {
    assert.ok(matches({ text: wanted }, text), wanted);
  }
  assert.ok(!matches({ text: "n.*way" }, text));
});

Deno.test("a filter survives the way through an address", () => {
  const filter = { type: "a.*.#", source: "s", text: "x & y=z+1 🚀" };
  assert.deepEqual(readFilter(new URLSearchParams(writeFilter(filter))), filter);
  assert.equal(writeFilter({ type: "", source: "", text: " " }), "");
  assert.equal(readFilter(new URLSearchParams({ text: "x".repeat(5000) })).text.length, 200);
});
