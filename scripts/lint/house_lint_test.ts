import assert from "node:assert/strict";
import plugin from "./house_lint.ts";

function lint(source: string, file = "a.ts"): string[] {
  return Deno.lint.runPlugin(plugin, file, source).map(({ id, message }) => `${id}: ${message}`);
}

const casts: Record<string, string> = {
  "const a = b as C;": "C",
  "const a = <C>b;": "C",
  "const a = b as unknown;": "unknown",
  "f(b as C<D>[]);": "C<D>[]",
  'const a = b as "const";': '"const"',
};

for (const [source, type] of Object.entries(casts)) {
  Deno.test(`no-cast refuses ${source}`, () => {
    assert.deepEqual(lint(source), [`house/no-cast: Cannot cast to ${type}: nothing checks that it is one`]);
  });
}

Deno.test("no-cast refuses both casts of a cast through unknown", () => {
  assert.equal(lint("const a = b as unknown as C;").length, 2);
});

Deno.test("no-cast says what to do instead", () => {
  const [found] = Deno.lint.runPlugin(plugin, "a.ts", "const a = b as C;");
  assert.match(found?.hint ?? "", /schema.*narrow/);
});

const fine = [
  "const a = [1] as const;",
  "const a = <const>[1];",
  "const a = b satisfies C;",
  "const a = [1] as const satisfies number[];",
  'import * as a from "b";\nimport { c as d } from "e";\nexport { d as f };',
];

for (const source of fine) {
  Deno.test(`no-cast lets pass ${source.split("\n").join(" ")}`, () => assert.deepEqual(lint(source), []));
}

Deno.test("no-cast reads files with JSX", () => {
  assert.equal(lint("const a = <p class={b as string}>as C</p>;", "a.tsx").length, 1);
});
