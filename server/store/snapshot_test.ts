import assert from "node:assert/strict";
import { StoreError, StoreInUseError } from "../errors.ts";
import { settleStore, snapshotStore } from "./snapshot.ts";

async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await run(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("snapshotStore copies a store as it is at one moment while it is written, readable by its owner only", () =>
  inFolder(async (folder) => {
    const [path, copy] = [`${folder}/store.sqlite3`, `${folder}/copy.sqlite3`];
    using kv = await Deno.openKv(path);
    const large = (index: number) => ["large", index];
    for (let index = 0; index < 200; index++) await kv.set(large(index), new Uint8Array(60 * 1024));
    let writes = 0;
    let writing = true;
    const writer = (async () => {
      while (writing) {
        const value = ++writes;
        // Both ends of the file, and what lies between.
        await kv.atomic().set(["a"], value).set(large(value % 200), new Uint8Array(60 * 1024)).set(["z"], value)
          .commit();
      }
    })();
    while (writes < 20) await kv.get(["a"]);
    const parts: number[] = [];
    await snapshotStore(path, copy, (part) => parts.push(part));
    writing = false;
    await writer;
    assert.equal(((await Deno.stat(copy)).mode ?? 0) & 0o777, 0o600);
    assert.ok(parts.length > 0 && parts.every((part) => part >= 0 && part <= 1));
    using copied = await Deno.openKv(copy);
    const [first, last] = await copied.getMany<[number, number]>([["a"], ["z"]]);
    assert.ok((first.value ?? 0) >= 19);
    assert.equal(first.value, last.value);
  }));

Deno.test("snapshotStore refuses what is not there or no database, and makes no store of it", () =>
  inFolder(async (folder) => {
    await assert.rejects(snapshotStore(`${folder}/none`, `${folder}/copy`, () => {}), StoreError);
    assert.deepEqual(await Array.fromAsync(Deno.readDir(folder)), []);
    await Deno.writeTextFile(`${folder}/text`, "this is a text, and no database of any kind".repeat(100));
    await assert.rejects(snapshotStore(`${folder}/text`, `${folder}/copy`, () => {}), /Cannot copy the store .*text/);
  }));

Deno.test("settleStore puts everything into the one file, unless somebody has it open", () =>
  inFolder(async (folder) => {
    const path = `${folder}/store.sqlite3`;
    const kv = await Deno.openKv(path);
    await kv.set(["a"], 1);
    assert.throws(() => settleStore(path, 50), (error: Error) => {
      assert.ok(error instanceof StoreInUseError);
      return error.message.endsWith("a process has it open, stop the service first");
    });
    kv.close();
    settleStore(path);
    assert.deepEqual(await Array.fromAsync(Deno.readDir(folder), ({ name }) => name), ["store.sqlite3"]);
    using again = await Deno.openKv(path);
    assert.equal((await again.get(["a"])).value, 1);
  }));
