import assert from "node:assert/strict";
import { checkCycles } from "./cycles.ts";
import { allImports } from "./imports.ts";

function check(tree: Record<string, string>): string[] {
  const files = Object.entries(tree).map(([path, text]) => ({ path, text }));
  return checkCycles(allImports(files)).map(({ file, line, wrong }) => `${file}:${line}: ${wrong}`);
}

Deno.test("checkCycles finds nothing where imports do not go in a circle", () => {
  const tree = { "a.ts": 'import "./b.ts";\nimport "./c.ts";', "b.ts": 'import "./c.ts";', "c.ts": "" };
  assert.deepEqual(check(tree), []);
});

Deno.test("checkCycles prints the circle, at the import that closes it", () => {
  const tree = { "a.ts": 'import "./b.ts";', "b.ts": 'import "./c.ts";', "c.ts": '\nexport * from "./a.ts";' };
  assert.deepEqual(check(tree), ["c.ts:2: The imports go in a circle: a.ts -> b.ts -> c.ts -> a.ts"]);
});

Deno.test("checkCycles finds a circle that is not entered at its start, and a file that imports itself", () => {
  const tree = { "a.ts": 'import "./b.ts";', "b.ts": 'import "./c.ts";', "c.ts": 'import "./b.ts";\nimport "./c.ts";' };
  assert.deepEqual(check(tree), [
    "c.ts:1: The imports go in a circle: b.ts -> c.ts -> b.ts",
    "c.ts:2: The imports go in a circle: c.ts -> c.ts",
  ]);
});

Deno.test("checkCycles goes by dynamic imports too", () => {
  assert.equal(check({ "a.ts": 'await import("./b.ts");', "b.ts": 'import "./a.ts";' }).length, 1);
});

Deno.test("checkCycles counts imports of types, and none of tests", () => {
  assert.equal(check({ "a.ts": 'import type { B } from "./b.ts";', "b.ts": 'import "./a.ts";' }).length, 1);
  assert.deepEqual(check({ "a_test.ts": 'import "./b_test.ts";', "b_test.ts": 'import "./a_test.ts";' }), []);
});
