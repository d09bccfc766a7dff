import assert from "node:assert/strict";
import { jsonPieces, plainJson } from "./json.ts";

const textOf = (value: unknown) => jsonPieces(value).map(({ text }) => text).join("");

Deno.test("jsonPieces writes what JSON.stringify does, laid out", () => {
  const value = { a: [1, -2.5e30, true, null, 'x\n"</script>', [], {}], "ключ": { "": "🚀" } };
  assert.equal(textOf(value), JSON.stringify(value, null, 2));
  assert.deepEqual(jsonPieces({ a: 1 }).filter(({ kind }) => kind !== "plain"), [
    { kind: "key", text: '"a"' },
    { kind: "number", text: "1" },
  ]);
});

Deno.test("jsonPieces shows characters that reorder text as escapes, which mean the same", () => {
  assert.equal(textOf("a\u202Eb\u2066"), '"a\\u202eb\\u2066"');
  assert.equal(JSON.parse(plainJson(JSON.stringify("a\u202Eb\u009b"))), "a\u202Eb\u009b");
});

Deno.test("jsonPieces stays short, whatever it is given, and says what it leaves out", () => {
  assert.ok(textOf("x".repeat(1_000_000)).length < 3000);
  assert.match(textOf("x".repeat(1_000_000)), /998000 characters more/);
  assert.ok(jsonPieces(Array.from({ length: 100_000 }, () => ({ a: 1 }))).length < 10_000);
  const deep = JSON.parse("[".repeat(5000) + "]".repeat(5000));
  assert.match(textOf(deep), /1 more, see the copy/);
});
