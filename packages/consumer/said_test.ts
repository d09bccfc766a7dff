import assert from "node:assert/strict";
import { said } from "./said.ts";

const thrown: [name: string, value: unknown, words: string][] = [
  ["an error", new TypeError("the till is closed"), "the till is closed"],
  ["an object like an error", { code: 7, message: "the till is closed" }, "the till is closed"],
  ["a text", "the till is closed", "the till is closed"],
  ["nothing", undefined, "undefined"],
  ["a symbol", Symbol("till"), "Symbol(till)"],
  ["what cannot be a text", Object.create(null), "something that has no text"],
];

for (const [name, value, words] of thrown) {
  Deno.test(`said puts ${name} in words`, () => assert.equal(said(value), words));
}
