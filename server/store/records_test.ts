import assert from "node:assert/strict";
import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import { StoreError } from "../errors.ts";
import { keys } from "./keys.ts";
import { sweepLeftovers } from "./leftovers.ts";
import { Records } from "./records.ts";

const KEY = ["thing", "a"];
const text = z.object({ text: z.string() });
/** A value of about `kib` KiB, of characters that take three bytes, so that chunks cut through them. */
const large = (kib: number, character = "€") => ({ text: character.repeat(Math.ceil(kib * 1024 / 3)) });

async function withRecords(run: (records: Records, kv: Deno.Kv) => Promise<void>): Promise<void> {
  const kv = await Deno.openKv(":memory:");
  try {
    await run(new Records(kv), kv);
  } finally {
    kv.close();
  }
}

/** The store as a writer sees it to whom something happens between its chunks and its commit, or after that. */
function slowToCommit(
  kv: Deno.Kv,
  meanwhile: () => Promise<unknown>,
  afterwards: () => Promise<unknown> = () => Promise.resolve(),
): Deno.Kv {
  return new Proxy(kv, {
    get(target, property) {
      if (property === "atomic") {
        return () => {
          const atomic = target.atomic();
          const commit = atomic.commit.bind(atomic);
          let checks = false;
          const check = atomic.check.bind(atomic);
          atomic.check = (...checked) => {
            checks = true;
            return check(...checked);
          };
          atomic.commit = async () => {
            if (checks) await meanwhile();
            const result = await commit();
            if (checks) await afterwards();
            return result;
          };
          return atomic;
        };
      }
      const value = Reflect.get(target, property);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** The store of a writer who never hears that what it checked and wrote is committed. */
function losingAnswers(kv: Deno.Kv): Deno.Kv {
  return slowToCommit(kv, () => Promise.resolve(), () => Promise.reject(new Error("connection reset")));
}

const chunksIn = async (kv: Deno.Kv, key: Deno.KvKey = KEY) =>
  (await Array.fromAsync(kv.list({ prefix: keys.chunksOf(key) }))).length;

for (const kib of [0, 1, 59, 60, 61, 64, 65, 500, 1500, 5000]) {
  Deno.test(`Records gives back a value of ${kib} KiB as it was`, () =>
    withRecords(async (records) => {
      const value = large(kib);
      const version = await records.commit([{ key: KEY, value, expected: null }]);
      assert.deepEqual(await records.get(KEY, text), { value, version });
      assert.deepEqual(await records.list(["thing"], text), [{ key: KEY, value, version }]);
    }));
}

Deno.test("Records replaces a large value and leaves no chunk of the old one", () =>
  withRecords(async (records, kv) => {
    let expected: string | null = null;
    for (const [kib, chunks] of [[1500, 26], [500, 9], [1, 0], [200, 4]] as const) {
      const value = large(kib);
      expected = await records.commit([{ key: KEY, value, expected }]) ?? assert.fail();
      assert.deepEqual((await records.get(KEY, text))?.value, value);
      assert.equal(await chunksIn(kv), chunks);
    }
  }));

Deno.test("Records writes nothing when an expected version does not hold", () =>
  withRecords(async (records, kv) => {
    await records.commit([{ key: KEY, value: large(200, "ä"), expected: null }]);
    const before = await chunksIn(kv);
    const refused = await records.commit([
      { key: ["thing", "b"], value: large(1) },
      { key: KEY, value: large(900), expected: null },
    ]);
    assert.equal(refused, undefined);
    assert.equal(await records.get(["thing", "b"], text), undefined);
    assert.deepEqual((await records.get(KEY, text))?.value, large(200, "ä"));
    assert.equal(await chunksIn(kv), before, "the refused value's chunks are gone");
  }));

Deno.test("Records lets one of many concurrent writers win, whole", () =>
  withRecords(async (records, kv) => {
    const values = Array.from("abcdefghij", (character) => large(300, character));
    const versions = await Promise.all(values.map((value) => records.commit([{ key: KEY, value, expected: null }])));
    assert.equal(versions.filter((version) => version !== undefined).length, 1);
    assert.deepEqual((await records.get(KEY, text))?.value, values[versions.findIndex((version) => version)]);
    assert.equal(await chunksIn(kv), 2);
  }));

Deno.test("Records leaves alone the chunks of a writer that has not committed yet", () =>
  withRecords(async (records, kv) => {
    const first = await records.commit([{ key: KEY, value: large(200, "a"), expected: null }]) ?? assert.fail();
    // A second writer has read the version and written its chunks when a third, who was before it, clears up.
    const slow = new Records(slowToCommit(kv, async () => {
      const second = await records.commit([{ key: KEY, value: large(200, "b"), expected: first }]);
      assert.ok(second);
      return second;
    }));
    assert.equal(await slow.commit([{ key: KEY, value: large(300, "c"), expected: first }]), undefined);
    assert.deepEqual((await records.get(KEY, text))?.value, large(200, "b"));
    assert.equal(await chunksIn(kv), 2);
  }));

Deno.test("Records stays whole under many writers that each replace what they read", () =>
  withRecords(async (records, kv) => {
    await records.commit([{ key: KEY, value: large(100), expected: null }]);
    const writers = Array.from("abcdefgh", async (character) => {
      for (let round = 0; round < 15; round++) {
        const { version } = await records.get(KEY, text) ?? assert.fail();
        await records.commit([{ key: KEY, value: large(300 + round, character), expected: version }]);
      }
    });
    await Promise.all(writers);
    const { value } = await records.get(KEY, text) ?? assert.fail();
    assert.equal(new Set(value.text).size, 1);
    assert.equal(await chunksIn(kv), 2, "nobody left chunks behind");
  }));

Deno.test("Records sweeps what a killed writer left, once it is old", () =>
  withRecords(async (records, kv) => {
    const old = keys.chunk(KEY, "01900000-0000-7000-8000-000000000000", 0);
    const recent = keys.chunk(KEY, uuidv7(), 0);
    for (const key of [old, recent]) await kv.set(key, new Uint8Array(10));
    await records.commit([{ key: KEY, value: large(100), expected: null }]);
    assert.equal((await kv.get(old)).value, null);
    assert.notEqual((await kv.get(recent)).value, null);
  }));

Deno.test("what writers left of large events that are not there is swept once it is old, and nothing else", () =>
  withRecords(async (records, kv) => {
    const [spooled, lost] = [keys.spoolEntry("a", 2), keys.spoolEntry("a", 1)];
    const letter = keys.deadLetter("a", "b");
    for (const key of [spooled, letter]) await records.commit([{ key, value: large(200), expected: null }]);
    const old = "01900000-0000-7000-8000-000000000000";
    const left = [lost, spooled, letter].flatMap((key) => [0, 1].map((index) => keys.chunk(key, old, index)));
    for (const key of [...left, keys.chunk(lost, uuidv7(), 0)]) await kv.set(key, new Uint8Array(10));
    await sweepLeftovers(kv, () => new Date());
    for (const key of [spooled, letter]) {
      assert.deepEqual((await records.get(key, text))?.value, large(200));
      assert.equal(await chunksIn(kv, key), 4);
    }
    assert.equal(await chunksIn(kv, lost), 1, "that of a writer that is still at work");
    await sweepLeftovers(kv, () => new Date(Date.now() + 2 * 60 * 60_000));
    assert.equal(await chunksIn(kv, lost), 0);
  }));

Deno.test("Records lists the readable records beside one that is not", () =>
  withRecords(async (records, kv) => {
    await records.commit([{ key: KEY, value: large(1) }]);
    await kv.set(["thing", "b"], { generation: crypto.randomUUID(), chunks: 2 });
    await kv.set(["thing", "c"], new TextEncoder().encode("{"));
    assert.equal((await records.list(["thing"], text)).length, 1);
    assert.equal((await records.list(["thing"], text, { limit: 1, reverse: true })).length, 1);
  }));

Deno.test("Records never shows a reader a mixture while a large value is replaced", () =>
  withRecords(async (records) => {
    let expected = await records.commit([{ key: KEY, value: large(200, "a"), expected: null }]) ?? assert.fail();
    let reading = true;
    const reader = (async () => {
      let reads = 0;
      for (; reading; reads++) {
        const seen = await records.get(KEY, text) ?? assert.fail();
        assert.equal(new Set(seen.value.text).size, 1);
      }
      return reads;
    })();
    for (const character of "bcdefghijklm") {
      expected = await records.commit([{ key: KEY, value: large(200, character), expected }]) ?? assert.fail();
    }
    reading = false;
    assert.ok(await reader > 0);
  }));

Deno.test("Records keeps the chunks of a key apart from those of a longer key", () =>
  withRecords(async (records) => {
    const first = await records.commit([{ key: KEY, value: large(100), expected: null }]);
    await records.commit([{ key: [...KEY, "b"], value: large(100, "b"), expected: null }]);
    await records.commit([{ key: KEY, value: large(1), expected: first ?? null }]);
    assert.deepEqual((await records.get([...KEY, "b"], text))?.value, large(100, "b"));
  }));

Deno.test("Records refuses to read what does not fit, naming the key and not the content", () =>
  withRecords(async (records, kv) => {
    await records.commit([{ key: KEY, value: { text: 5 } }]);
    await assert.rejects(records.get(KEY, text), StoreError);
    await kv.set(KEY, "foreign");
    await assert.rejects(records.get(KEY, text), /Cannot read \["thing","a"\]/);
    await kv.set(KEY, { generation: crypto.randomUUID(), chunks: 2 });
    await assert.rejects(records.get(KEY, text), /chunks are missing/);
    await kv.set(KEY, new TextEncoder().encode("{"));
    await assert.rejects(records.get(KEY, text), /Cannot read \["thing","a"\] in the store: it is not JSON/);
  }));

Deno.test("Records refuses a large value without an expected version", () =>
  withRecords(async (records) => {
    await assert.rejects(records.commit([{ key: KEY, value: large(100) }]), /its version is not given/);
  }));

Deno.test("Records leaves no chunk of a replaced value though another process holds the lock just then", () =>
  withRecords(async (records, kv) => {
    const version = await records.commit([{ key: KEY, value: large(200), expected: null }]) ?? null;
    const remove = kv.delete.bind(kv);
    let deletes = 0;
    kv.delete = (key) => ++deletes === 2 ? Promise.reject(new Error("database is locked")) : remove(key);
    await records.commit([{ key: KEY, value: large(200), expected: version }]);
    assert.equal(await chunksIn(kv), 4);
  }));

/** The store as a writer sees it whose commit number `failing` fails with `message`. */
function withFailingCommit(kv: Deno.Kv, failing: number, message: string): Deno.Kv {
  let commits = 0;
  const open = kv.atomic.bind(kv);
  kv.atomic = () => {
    const atomic = open();
    const commit = atomic.commit.bind(atomic);
    atomic.commit = () => ++commits === failing ? Promise.reject(new Error(message)) : commit();
    return atomic;
  };
  return kv;
}

Deno.test("Records leaves no chunk of a value that cannot be written whole", () =>
  withRecords(async (_, kv) => {
    const records = new Records(withFailingCommit(kv, 3, "disk full"));
    await assert.rejects(records.commit([{ key: KEY, value: large(1500), expected: null }]), /disk full/);
    assert.equal(await chunksIn(kv), 0);
  }));

Deno.test("Records keeps a value that was committed though the answer was lost", () =>
  withRecords(async (records, kv) => {
    const written = await records.commit([{ key: KEY, value: large(200, "a"), expected: null }]) ?? assert.fail();
    const unlucky = new Records(losingAnswers(kv));
    const value = large(500, "b");
    await assert.rejects(unlucky.commit([{ key: KEY, value, expected: written }]), /connection reset/);
    assert.deepEqual((await records.get(KEY, text))?.value, value);
  }));

Deno.test("Records waits for another process's lock also with a large value", () =>
  withRecords(async (_, kv) => {
    const records = new Records(withFailingCommit(kv, 2, "database is locked"));
    await records.commit([{ key: KEY, value: large(1500), expected: null }]);
    assert.deepEqual((await records.get(KEY, text))?.value, large(1500));
  }));
