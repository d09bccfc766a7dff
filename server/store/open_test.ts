import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { StoreError } from "../errors.ts";
import { openStore } from "./open.ts";

async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await run(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("openStore makes the file with its folder, which only its owner may enter", () =>
  inFolder(async (folder) => {
    using kv = await openStore(`${folder}/deep/data/store.sqlite3`);
    assert.equal((await kv.get(["nothing"])).value, null);
    assert.equal(((await Deno.stat(`${folder}/deep/data`)).mode ?? 0) & 0o777, 0o700);
  }));

Deno.test("openStore opens a store that others open at the same instant", () =>
  inFolder(async (folder) => {
    const stores = await Promise.all(Array.from({ length: 8 }, () => openStore(`${folder}/store.sqlite3`)));
    for (const kv of stores) kv.close();
  }));

Deno.test("openStore says what is wrong with a file that is no database", () =>
  inFolder(async (folder) => {
    const path = `${folder}/store.sqlite3`;
    await Deno.writeTextFile(path, "this is a text, and no database of any kind".repeat(100));
    await assert.rejects(openStore(path), (error: Error) => {
      assert.ok(error instanceof StoreError);
      return error.message.startsWith(`Cannot open the store ${path} (KV_PATH): `);
    });
  }));

Deno.test("openStore says what is wrong with a path that can be no store, and what to do", () =>
  inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/file`, "");
    await assert.rejects(openStore(`${folder}/file/store.sqlite3`), {
      name: "StoreError",
      message: `Cannot open the store ${folder}/file/store.sqlite3 (KV_PATH): its folder cannot be made: there is a ` +
        "file of that name already: name another (EEXIST)",
    });
    await assert.rejects(openStore(folder), {
      name: "StoreError",
      message: `Cannot open the store ${folder} (KV_PATH): it is a folder: name a file (EISDIR)`,
    });
  }));

Deno.test("openStore says that another process holds the store's lock", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/inlet.sqlite3`;
  const holder = new DatabaseSync(path);
  try {
    holder.exec("CREATE TABLE held (held); BEGIN EXCLUSIVE");
    await assert.rejects(openStore(path, 0), {
      name: "StoreError",
      message: /another process holds it, stop that one$/,
    });
    holder.exec("ROLLBACK");
    (await openStore(path)).close();
  } finally {
    holder.close();
    await Deno.remove(folder, { recursive: true });
  }
});
