import assert from "node:assert/strict";
import { checkDocComments, denoDocSchema, documentedFiles } from "./doc_comments.ts";

async function check(tree: Record<string, string>): Promise<string[]> {
  const root = await Deno.realPath(await Deno.makeTempDir());
  try {
    await Deno.mkdir(`${root}/routes`);
    for (const [path, text] of Object.entries(tree)) await Deno.writeTextFile(`${root}/${path}`, text);
    const args = ["doc", "--quiet", "--json", ...Object.keys(tree)];
    const { stdout } = await new Deno.Command(Deno.execPath(), { args, cwd: root }).output();
    const docs = denoDocSchema.parse(JSON.parse(new TextDecoder().decode(stdout)));
    return checkDocComments(docs, `file://${root}/`).map(({ file, line, wrong }) => `${file}:${line}: ${wrong}`);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test("checkDocComments finds every kind of export that has no doc comment", async () => {
  const lines = [
    "export const a = 1;",
    "export function b(): void {}",
    "export class C {}",
    "export interface D {}",
    "export type E = string;",
    "export enum F {}",
    "export default function (): void {}",
    "function g(): void {}",
    "export { g as h };",
  ];
  const found = await check({ "a.ts": lines.join("\n") });
  assert.deepEqual(found.map((line) => line.replace(/: The export (\w+) has.*$/, " $1")), [
    "a.ts:1 a",
    "a.ts:2 b",
    "a.ts:3 C",
    "a.ts:4 D",
    "a.ts:5 E",
    "a.ts:6 F",
    "a.ts:7 default",
    "a.ts:8 h",
  ]);
});

Deno.test("checkDocComments lets documented exports pass, and what is not exported", async () => {
  const text = "/** A. */\nexport const a = 1;\nconst b = 2;\n/** C. */\nexport class C {\n  d = b;\n}\n" +
    "/** @throws {Error} always */\nexport function e(): never {\n  throw new Error();\n}\n";
  assert.deepEqual(await check({ "a.ts": text }), []);
});

Deno.test("checkDocComments wants one doc comment for all declarations of a name", async () => {
  const text = "/** A. */\nexport const a = 1;\n/** A. */\nexport type a = string;\n" +
    "/** B. */\nexport function b(c: string): void;\nexport function b(c: number): void;\nexport function b(): void {}\n";
  assert.deepEqual(await check({ "a.ts": text }), []);
});

Deno.test("checkDocComments asks for doc comments where symbols are declared, not where they pass through", async () => {
  const tree = {
    "a.ts": 'import type { B } from "./b.ts";\nexport { b } from "./b.ts";\nexport * from "./b.ts";\n' +
      "/** C. */\nexport const c = (b: B): B => b;\n",
    "b.ts": "type Own = string;\n/** B. */\nexport type B = Own;\nexport const b = 1;\n",
  };
  assert.deepEqual(await check(tree), ["b.ts:4: The export b has no doc comment"]);
});

Deno.test("documentedFiles are all files of code but tests, and what lies there to be served", () => {
  const paths = ["a.ts", "b.tsx", "a_test.ts", "tests/support/c.ts", "static/d.js", "e.md"];
  assert.deepEqual(documentedFiles(paths.map((path) => ({ path, text: "" }))), ["a.ts", "b.tsx"]);
});

Deno.test("checkDocComments leaves out what a route exports for Fresh, and nothing else of a route", async () => {
  const route = "export const handler = 1;\nexport default function (): void {}\nexport const other = 1;\n";
  assert.deepEqual(await check({ "routes/index.ts": route }), [
    "routes/index.ts:3: The export other has no doc comment",
  ]);
  assert.equal((await check({ "index.ts": route })).length, 3);
});
