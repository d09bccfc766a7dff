import assert from "node:assert/strict";
import { copyPackages } from "./packages.ts";

async function cacheOf(folder: string, ...files: readonly string[]): Promise<string> {
  for (const file of files) {
    await Deno.mkdir(`${folder}/${file}`.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.writeTextFile(`${folder}/${file}`, file);
  }
  return folder;
}

Deno.test("copyPackages copies the versions that are locked, of whatever registry, short of their tests, and nothing else", async () => {
  const folder = await Deno.makeTempDir();
  const from = await cacheOf(
    `${folder}/from`,
    "one.example/a/1.0.0/lib/index.js",
    "one.example/a/1.0.0/lib/test/index.js",
    "one.example/a/1.0.0/test/index.js",
    "one.example/a/2.0.0/index.js",
    "two.example/@b/c/3.0.0-rc.1/index.js",
    "two.example/d/1.0.0/index.js",
  );
  await copyPackages(["a@1.0.0", "@b/c@3.0.0-rc.1_a@1.0.0"], from, `${folder}/to`);
  assert.equal(
    await Deno.readTextFile(`${folder}/to/one.example/a/1.0.0/lib/index.js`),
    "one.example/a/1.0.0/lib/index.js",
  );
  assert.ok((await Deno.stat(`${folder}/to/two.example/@b/c/3.0.0-rc.1/index.js`)).isFile);
  assert.ok((await Deno.stat(`${folder}/to/one.example/a/1.0.0/lib/test/index.js`)).isFile);
  await assert.rejects(Deno.stat(`${folder}/to/one.example/a/1.0.0/test`), Deno.errors.NotFound);
  await assert.rejects(Deno.stat(`${folder}/to/one.example/a/2.0.0`), Deno.errors.NotFound);
  await assert.rejects(Deno.stat(`${folder}/to/two.example/d`), Deno.errors.NotFound);
  await assert.rejects(
    copyPackages(["e@1.0.0"], from, `${folder}/to`),
    /Cannot assemble: e@1\.0\.0 is not in Deno's cache/,
  );
  await Deno.remove(folder, { recursive: true });
});
