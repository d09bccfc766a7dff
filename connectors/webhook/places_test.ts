import fc from "fast-check";
import assert from "node:assert/strict";
import { entriesAt, PLACE_PATTERN, PLACES_PATTERN, placesOf, textAt, valueAt } from "./places.ts";

const at = (place: string, body: unknown, headers: Record<string, string> = {}) =>
  textAt(placesOf(place), { headers: new Headers(headers), body });

// https://www.rfc-editor.org/rfc/rfc6901#section-5
const document = JSON.parse(
  '{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\\\j":5,"k\\"l":6," ":7,"m~n":8}',
);

for (
  const [pointer, text] of [
    ["/foo/0", "bar"],
    ["/", "0"],
    ["/a~1b", "1"],
    ["/c%d", "2"],
    ["/e^f", "3"],
    ["/g|h", "4"],
    ["/i\\j", "5"],
    ['/k"l', "6"],
    ["/m~0n", "8"],
  ] as const
) {
  Deno.test(`textAt reads the example ${pointer} of RFC 6901`, () => assert.equal(at(pointer, document), text));
}

Deno.test("textAt reads ~01 as ~1, for the escapes are undone in the order of RFC 6901", () => {
  assert.equal(at("/~01", { "~1": "tilde one", "/": "slash" }), "tilde one");
});

Deno.test("textAt goes through lists by index, and by nothing else", () => {
  const body = { list: ["a", { id: 7 }] };
  assert.equal(at("/list/1/id", body), "7");
  for (const pointer of ["/list/2", "/list/-", "/list/-1", "/list/01", "/list/length", "/list/1e0", "/list/map"]) {
    assert.equal(at(pointer, body), null, pointer);
  }
});

Deno.test("textAt finds what JSON holds, and nothing that JavaScript adds to it", () => {
  const body = JSON.parse('{"__proto__":{"id":"own"},"text":"abc"}');
  assert.equal(at("/__proto__/id", body), "own");
  for (const pointer of ["/constructor/name", "/toString/name", "/text/length", "/text/0", "/hasOwnProperty/name"]) {
    assert.equal(at(pointer, body), null, pointer);
  }
  assert.equal(at("/__proto__/id", {}), null);
});

Deno.test("textAt takes the first place that has a text, and writes numbers and truth values out", () => {
  const body = { none: null, empty: " ", object: {}, list: [], no: false, zero: 0, name: " Ada " };
  assert.equal(at("/absent /none /empty /object /list /name", body), "Ada");
  assert.equal(at("/no", body), "false");
  assert.equal(at("/zero", body), "0");
  assert.equal(at("/absent header:x-id /name", body, { "x-id": "from the header" }), "from the header");
  assert.equal(at("", body), null);
});

Deno.test("textAt takes no text over 512 characters, and no number that JSON.parse has rounded", () => {
  assert.equal(at("/id", { id: "x".repeat(512) })?.length, 512);
  assert.equal(at("/id", { id: "x".repeat(513) }), null);
  assert.equal(at("/id", JSON.parse('{"id":820982911946154508}')), null);
  assert.equal(at("/id", { id: Number.MAX_SAFE_INTEGER }), "9007199254740991");
});

Deno.test("a header's entry is read where there is exactly one", () => {
  const entry = (value: string) => at("header:X-Meta#t", {}, { "x-meta": value });
  assert.equal(entry("t=1,v1=abc"), "1");
  assert.equal(entry(" v1=abc , t=1 "), "1");
  assert.equal(entry("t=a=b"), "a=b");
  for (const value of ["t=1,t=2", "t", "tt=1", "=", ",,,", "t=", "v1=t=1", "T=1"]) {
    assert.equal(entry(value), null, value);
  }
  assert.deepEqual(entriesAt(",,v1=a,,v1=b, v1=,v1", "v1"), ["a", "b", ""]);
});

Deno.test("the notation takes headers and JSON Pointers, and nothing half-written", () => {
  for (const place of ["", "/type", "/", "/a/b~1c/0", "header:x-event", "header:X-Sig#t", "/data/object/id"]) {
    assert.match(place, PLACE_PATTERN);
    assert.match(place, PLACES_PATTERN);
  }
  assert.match("/data/id header:x-id /id", PLACES_PATTERN);
  const wrong = [
    "type",
    "header:",
    "header:#t",
    "header:x y",
    "header:x#",
    "/a~",
    "/a~2",
    "Header:x",
    "header:x#a,b",
    " ",
  ];
  for (const place of [...wrong, "/a /b"]) assert.doesNotMatch(place, PLACE_PATTERN);
  for (const place of [...wrong, "/a, header", "/a\n/b", "/a "]) assert.doesNotMatch(place, PLACES_PATTERN);
});

Deno.test("any pointer into any JSON gives what stands there, or nothing", () => {
  const key = fc.oneof(fc.constantFrom("__proto__", "constructor", "length", "0", "-", "~", "/"), fc.string());
  fc.assert(
    fc.property(fc.jsonValue(), fc.array(key, { minLength: 1, maxLength: 6 }), (body, keys) => {
      const pointer = keys.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
      const [place, ...others] = placesOf(pointer);
      if (place === undefined || others.length > 0) return; // A blank ends a place.
      const value = valueAt(place, { headers: new Headers(), body });
      assert.ok(value === undefined || JSON.stringify(body).includes(JSON.stringify(value)));
    }),
    { numRuns: 2000 },
  );
});
