import assert from "node:assert/strict";
import { clearProgram } from "./clear.ts";

const OWN = new Set(["inlet", "start.ts", "server", ".deno"]);

async function inFolderWith(files: readonly string[], use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    for (const file of files) {
      await Deno.mkdir(`${folder}/${file}`.replace(/\/[^/]*$/, ""), { recursive: true });
      await Deno.writeTextFile(`${folder}/${file}`, file);
    }
    await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true }).catch(() => {});
  }
}

async function filesIn(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).sort();
}

Deno.test("clearProgram removes an earlier program, and takes a folder that is new or empty", async () => {
  await inFolderWith(["inlet", "start.ts", "server/a.ts", ".deno/npm"], async (folder) => {
    await clearProgram(folder, OWN);
    assert.deepEqual(await filesIn(folder), []);
    await clearProgram(folder, OWN);
    await clearProgram(`${folder}/new`, OWN);
  });
});

for (
  const [what, files, reason] of [
    [
      "the store of a service that was started in it",
      ["inlet", "start.ts", "data/encryption.key"],
      /gone: data\. Move/,
    ],
    ["a Deno that was put beside it", ["inlet", "start.ts", "deno", "more"], /gone: deno, more\. Move/],
    ["another folder of that name", ["inlet/inlet.sqlite3", "log/syslog"], /gone: log\./],
    ["nothing but a folder of that name", ["inlet/inlet.sqlite3"], /has other things in it/],
    ["a part of a program", ["server/a.ts"], /has other things in it/],
  ] as const
) {
  Deno.test(`clearProgram removes nothing where there is ${what}`, async () => {
    await inFolderWith(files, async (folder) => {
      const before = await filesIn(folder);
      await assert.rejects(clearProgram(folder, OWN), reason);
      assert.deepEqual(await filesIn(folder), before);
    });
  });
}
