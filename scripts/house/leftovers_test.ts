import assert from "node:assert/strict";
import { checkLeftovers } from "./leftovers.ts";
import { placesOf } from "./source.ts";

const note = ["TO", "DO"].join("");

Deno.test("checkLeftovers finds notes of unfinished work in comments only", () => {
  const text = `const a = "${note}";\n// ${note}: more\n/**\n * ${note}\n */\n`;
  assert.deepEqual(placesOf(checkLeftovers([{ path: "a.ts", text }])), ["a.ts:2", "a.ts:4"]);
});

for (
  const code of ["Deno.test.ignore(name, run)", "Deno.test.only(name, run)", "({ ignore: true })", "it.only(name)"]
) {
  Deno.test(`checkLeftovers finds ${code}`, () => {
    assert.deepEqual(placesOf(checkLeftovers([{ path: "a_test.ts", text: `${code};\n` }])), ["a_test.ts:1"]);
  });
}

Deno.test("checkLeftovers lets a test depend on a condition", () => {
  assert.deepEqual(checkLeftovers([{ path: "a_test.ts", text: 'ignore: Deno.build.os === "windows"' }]), []);
});
