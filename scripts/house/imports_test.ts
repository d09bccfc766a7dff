import assert from "node:assert/strict";
import { importsOf, resolveImport } from "./imports.ts";

function found(text: string, aliases: Record<string, string> = {}): string[] {
  return importsOf({ path: "server/api/a.ts", text }, aliases)
    .map(({ line, to, typeOnly }) => `${line} ${to}${typeOnly ? " type" : ""}`);
}

const cases: Record<string, [text: string, imports: string[]]> = {
  "a named import": ['import { b } from "./b.ts";', ["1 server/api/b.ts"]],
  "a default import": ['import b from "../b.ts";', ["1 server/b.ts"]],
  "a default and named import": ['import b, { c } from "../../b.ts";', ["1 b.ts"]],
  "a namespace import": ['import * as b from "./b.ts";', ["1 server/api/b.ts"]],
  "an import for its effect": ['import "./b.ts";', ["1 server/api/b.ts"]],
  "an import over several lines": ['\nimport {\n  b,\n  type C,\n} from "./b.ts";', ["2 server/api/b.ts"]],
  "an import with attributes": ['import b from "./b.json" with { type: "json" };', ["1 server/api/b.json"]],
  "a type import": ['import type { B } from "./b.ts";', ["1 server/api/b.ts type"]],
  "a default type import": ['import type B from "./b.ts";', ["1 server/api/b.ts type"]],
  "inline types as a value import, since the module is loaded": ['import { type B } from "./b.ts";', [
    "1 server/api/b.ts",
  ]],
  "a named re-export": ['export { b as c } from "./b.ts";', ["1 server/api/b.ts"]],
  "a re-export of everything": ['export * from "./b.ts";\nexport * as c from "./c.ts";', [
    "1 server/api/b.ts",
    "2 server/api/c.ts",
  ]],
  "a type re-export": ['export type { B } from "./b.ts";', ["1 server/api/b.ts type"]],
  "a dynamic import": ['const b = await import("./b.ts");', ["1 server/api/b.ts"]],
  "a dynamic import broken over lines": ['await import(\n  "./b.ts"\n);', ["1 server/api/b.ts"]],
  "an import type in a type": ['let b: import("./b.ts").B;\nlet c: typeof import("./c.ts");', [
    "1 server/api/b.ts type",
    "2 server/api/c.ts type",
  ]],
  "a package by name": ['import { b } from "@inlet/events-core";', ["1 packages/events-core/mod.ts"]],
  "a part of a package": ['import { b } from "@inlet/events/github";', ["1 packages/events/github.ts"]],
  "nothing from elsewhere": ['import z from "zod";\nimport { d } from "npm:d@1";\nimport "node:fs";', []],
  "nothing in comments and strings": ['// import "./b.ts";\nconst c = `\nimport "./b.ts";\n`;', []],
  "nothing where exports only declare": ['export const from = "./b.ts";\nexport { from };\n', []],
};

for (const [name, [text, imports]] of Object.entries(cases)) {
  Deno.test(`importsOf finds ${name}`, () => assert.deepEqual(found(text), imports));
}

Deno.test("importsOf follows aliases of the import map", () => {
  const aliases = { "@/": "./", "deps": "./server/deps.ts" };
  assert.deepEqual(found('import "@/server/b.ts";\nimport "deps";', aliases), ["1 server/b.ts", "2 server/deps.ts"]);
});

Deno.test("resolveImport resolves from the root as from a folder", () => {
  assert.equal(resolveImport("./server/app.ts", "main.ts"), "server/app.ts");
  assert.equal(resolveImport("../main.ts", "tests/a_test.ts"), "main.ts");
});
