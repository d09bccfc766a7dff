import assert from "node:assert/strict";
import { mask } from "./mask.ts";

Deno.test("mask keeps the length and the lines of the text in both parts", () => {
  const text = 'const a = "b"; // c\n/* d\n e */ const f = `g\n${h}`;\n';
  const { code, comments } = mask(text);
  assert.equal(code.length, text.length);
  assert.equal(comments.length, text.length);
  assert.deepEqual(code.split("\n").map((line) => line.length), text.split("\n").map((line) => line.length));
});

const codeOf: Record<string, [text: string, code: string]> = {
  "line comments": ["a; // b", "a;     "],
  "block comments": ["a /* b */ c", "a         c"],
  "strings in double quotes": ['a("b // c", d)', 'a("      ", d)'],
  "strings in single quotes": [`a('"b"', d)`, `a('   ', d)`],
  "escaped quotes": [String.raw`a("\"b\\", c)`, `a("     ", c)`],
  "templates": ["a(`b // c`, d)", "a(`      `, d)"],
  "code inside templates": ["`a ${b({ c: 1 })} d` + e", "`  ${b({ c: 1 })}  ` + e"],
  "templates inside templates": ["`a ${`b ${c} d`} e`", "`  ${`  ${c}  `}  `"],
  "escapes in templates": ["`\\` \\${a}` + b", "`        ` + b"],
  "regular expressions": ["a = /[/\"']x/g; b", "a = /       g; b"],
  "regular expressions as arguments": ["a.test(/`/, b)", "a.test(/ /, b)"],
  "division": ["a = b / c / d", "a = b / c / d"],
  "division after brackets": ["(a) / b[1] / c // d", "(a) / b[1] / c     "],
};

for (const [name, [text, code]] of Object.entries(codeOf)) {
  Deno.test(`mask tells ${name} from code`, () => {
    assert.equal(mask(text).code, code);
  });
}

Deno.test("mask goes on after an apostrophe in the text between tags", () => {
  assert.match(mask("<p>don't</p>;\nDeno.env;").code, /\nDeno\.env;$/);
});

Deno.test("mask goes on after closing tags and self-closing tags", () => {
  assert.match(mask('<p class="a">b</p>; Deno.env;').code, /Deno\.env;$/);
  assert.match(mask('<img src="a" />; Deno.env;').code, /Deno\.env;$/);
});

Deno.test("mask gives the comments only, without words in strings", () => {
  assert.equal(mask('a("// b"); // c\n/* d */').comments.trim(), "// c\n/* d */");
});
