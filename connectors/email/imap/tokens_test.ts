import fc from "fast-check";
import assert from "node:assert/strict";
import { literalLength, readValues, textOf } from "./tokens.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const read = (text: string) => readValues(bytes(text));

Deno.test("readValues reads atoms, quoted strings, NIL, lists and literals", () => {
  assert.deepEqual(read('* 1 FETCH (UID 5 X NIL "NIL" "a \\"b\\\\" ())'), [
    "*",
    "1",
    "FETCH",
    ["UID", "5", "X", null, "NIL", 'a "b\\', []],
  ]);
  assert.deepEqual(read("(A {7}\r\na)b(\r\n1 C)"), [["A", bytes("a)b(\r\n1"), "C"]]);
  assert.deepEqual(read('"grün" {0}\r\n'), ["grün", bytes("")]);
});

Deno.test("readValues takes a section with all in its brackets as one name", () => {
  assert.deepEqual(read('BODY[HEADER.FIELDS (MESSAGE-ID)]<0> "x"'), ["BODY[HEADER.FIELDS (MESSAGE-ID)]<0>", "x"]);
});

Deno.test("readValues reads what is cut off or not balanced as far as it goes", () => {
  assert.deepEqual(read("(A (B"), [["A", ["B"]]]);
  assert.deepEqual(read("A) B"), ["A", "B"]);
  assert.deepEqual(read('"open'), ["open"]);
  assert.deepEqual(read("{5}\r\nab"), [bytes("ab")]);
});

Deno.test("readValues refuses lists that would exhaust the stack", () => {
  assert.throws(() => read("(".repeat(100_000)), RangeError);
});

Deno.test("readValues ends on any bytes, and loses no text of an atom", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (any) => {
      readValues(new Uint8Array(any));
    }),
    { numRuns: 2_000 },
  );
  fc.assert(fc.property(fc.stringMatching(/^[A-Za-z0-9.\\$]{1,40}$/), (atom) => {
    assert.equal(textOf(read(`* ${atom} end`)[1]), atom.toUpperCase() === "NIL" ? null : atom);
  }));
});

Deno.test("literalLength tells a literal at the end of a line only", () => {
  assert.equal(literalLength(bytes("* 1 FETCH (BODY[] {123}\r\n")), 123);
  assert.equal(literalLength(bytes("A LOGIN {5+}\r\n")), 5);
  for (const line of ["* OK {5} more\r\n", "* OK {a}\r\n", "{}\r\n", "\r\n"]) {
    assert.equal(literalLength(bytes(line)), null);
  }
});
