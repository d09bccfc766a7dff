import assert from "node:assert/strict";
import { isDiskFailure, meaningOf, placeIn } from "./system_errors.ts";

async function failureOf(work: () => Promise<unknown>): Promise<Error> {
  return await work().then(() => assert.fail("it works"), (error) => error);
}

Deno.test("meaningOf puts a system's error into words, and placeIn names what it is about", async () => {
  const folder = await Deno.makeTempDir();
  const file = await Deno.makeTempFile({ dir: folder });
  try {
    for (
      const [work, code, place] of [
        [() => Deno.readTextFile(`${folder}/none`), "ENOENT", `${folder}/none`],
        [() => Deno.writeTextFile(folder, ""), "EISDIR", folder],
        [() => Deno.writeTextFile(`${file}/x`, ""), "ENOTDIR", `${file}/x`],
        [() => Deno.mkdir(file), "EEXIST", file],
        [() => Deno.copyFile(file, `${folder}/none/x`), "ENOENT", `${file} -> ${folder}/none/x`],
        [() => Deno.writeTextFile(`${folder}/${"x".repeat(300)}`, ""), "ENAMETOOLONG", `${folder}/${"x".repeat(300)}`],
      ] as const
    ) {
      const error = await failureOf(work);
      assert.match(meaningOf(error) ?? "", new RegExp(`^[a-z' ,]+(?:: [a-z ,]+)? \\(${code}\\)$`));
      assert.equal(placeIn(error), place);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("meaningOf and placeIn know nothing of other errors", () => {
  for (const error of [new Error("no code: here"), Object.assign(new Error("x"), { code: "ECONNREFUSED" })]) {
    assert.equal(meaningOf(error), undefined);
    assert.equal(placeIn(error), undefined);
  }
  assert.equal(meaningOf("EACCES"), undefined);
});

Deno.test("isDiskFailure knows SQLite's words for it", () => {
  assert.ok(isDiskFailure(new Error("disk I/O error: x")) && isDiskFailure(new Error("database or disk is full")));
  assert.ok(!isDiskFailure(new Error("database is locked")));
});
