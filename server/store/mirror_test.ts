import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { StoreError } from "../errors.ts";
import { keys } from "./keys.ts";
import { leaseStore } from "./leases.ts";
import { mirrorStore } from "./mirror.ts";
import { prepareStore } from "./schema.ts";

const FOREVER = { lifetimeOf: () => undefined };

async function contents(kv: Deno.Kv): Promise<[string, unknown][]> {
  return await Array.fromAsync(kv.list({ prefix: [] }), ({ key, value }) => [JSON.stringify(key), value]);
}

/** A store whose first `times` readings are each followed by `write`. */
function changing(kv: Deno.Kv, times: number, write: () => Promise<unknown>): Deno.Kv {
  const list = kv.list.bind(kv);
  let readings = 0;
  Object.defineProperty(kv, "list", {
    value: async function* (...args: Parameters<typeof list>) {
      const reading = ++readings;
      for await (const entry of list(...args)) {
        if (reading <= times && entry.key[0] === "middle") await write();
        yield entry;
      }
    },
  });
  return kv;
}

Deno.test("mirrorStore copies every kind of value, and leaves nothing else", async () => {
  using from = await Deno.openKv(":memory:");
  using to = await Deno.openKv(":memory:");
  for (let index = 0; index < 1200; index++) await from.set(["number", index], index);
  for (let index = 0; index < 12; index++) await from.set(["bytes", index], new Uint8Array(60 * 1024).fill(index));
  await from.set(["counter"], new Deno.KvU64(7n));
  await from.set(["object"], { generation: "g", chunks: 2 });
  await to.set(["stays?"], "no");
  const seen: number[] = [];
  await mirrorStore(from, to, { ...FOREVER, onCopied: (records) => seen.push(records) });
  assert.deepEqual(await contents(to), await contents(from));
  assert.equal(seen.at(-1), 1214);
});

Deno.test("mirrorStore of a store that changes meanwhile gives what it was at one moment", async () => {
  using from = await Deno.openKv(":memory:");
  using to = await Deno.openKv(":memory:");
  let writes = 0;
  // One commit changes what was read already and what is still to be read: a copy of the first reading has halves of each.
  const write = async () => {
    writes++;
    await from.atomic().set(["first"], writes).set(["last"], writes).delete(["gone", writes]).commit();
  };
  for (const key of ["first", "last", "middle"]) await from.set([key], 0);
  for (let index = 0; index < 5; index++) await from.set(["gone", index], index);
  await mirrorStore(changing(from, 3, write), to, FOREVER);
  assert.equal(writes, 3);
  assert.deepEqual(await contents(to), [
    ['["first"]', 3],
    ['["gone",0]', 0],
    ['["gone",4]', 4],
    ['["last"]', 3],
    ['["middle"]', 0],
  ]);
});

Deno.test("mirrorStore gives up a store that never stands still, and leaves one that does not start", async () => {
  using from = await Deno.openKv(":memory:");
  using to = await Deno.openKv(":memory:");
  await from.set(["middle"], 0);
  const always = changing(from, Infinity, () => from.set(["last"], crypto.randomUUID()));
  await assert.rejects(mirrorStore(always, to, FOREVER), (error: Error) => {
    assert.ok(error instanceof StoreError);
    return /it changes all the time.*Stop the service/.test(error.message);
  });
  await assert.rejects(prepareStore(to, { leases: leaseStore(to, () => new Date()) }), /a restore into it was cut off/);
  await from.delete(["middle"]);
  await mirrorStore(from, to, FOREVER);
  assert.equal((await to.get(keys.restoring())).versionstamp, null);
  await prepareStore(to, { leases: leaseStore(to, () => new Date()) });
});

Deno.test("mirrorStore lets records expire as they are told", async () => {
  const folder = await Deno.makeTempDir();
  {
    using from = await Deno.openKv(":memory:");
    using to = await Deno.openKv(`${folder}/store.sqlite3`);
    for (const key of ["short", "stays"]) await from.set([key], 0);
    await mirrorStore(from, to, { lifetimeOf: ([kind]) => kind === "short" ? 3_600_000 : undefined });
  }
  {
    using database = new DatabaseSync(`${folder}/store.sqlite3`, { timeout: 10_000 });
    const rows = database.prepare("SELECT expiration_ms FROM kv ORDER BY k").all();
    const [short, stays] = rows.map(({ expiration_ms }) => Number(expiration_ms));
    assert.equal(stays, -1);
    assert.ok(Math.abs((short ?? 0) - Date.now() - 3_600_000) < 600_000);
  }
  await Deno.remove(folder, { recursive: true });
});
