import assert from "node:assert/strict";
import { coalescedReads } from "./reads.ts";

/** A store that tells of each read which keys it was asked for. */
async function watched(): Promise<{ kv: Deno.Kv; asked: string[][] } & Disposable> {
  const kv = await Deno.openKv(":memory:");
  const asked: string[][] = [];
  const getMany = kv.getMany.bind(kv);
  kv.getMany = (keys, ...options) => {
    asked.push([...keys].map((key) => key.join("/")));
    return getMany(keys, ...options);
  };
  return { kv, asked, [Symbol.dispose]: () => kv.close() };
}

Deno.test("what many ask for at a time is read together, each key once", async () => {
  using store = await watched();
  await store.kv.set(["a"], 1);
  const reads = coalescedReads(store.kv);
  const entries = await Promise.all([reads.get(["a"]), reads.get(["b"]), reads.get(["a"])]);
  assert.deepEqual(entries.map(({ value }) => value), [1, null, 1]);
  assert.deepEqual(store.asked, [["a", "b"]]);
});

Deno.test("more keys than one read takes come in their order", async () => {
  using store = await watched();
  const numbers = Array.from({ length: 230 }, (_, index) => index);
  for (const number of numbers) await store.kv.set(["n", String(number)], number);
  const reads = coalescedReads(store.kv);
  const entries = await Promise.all(numbers.map((number) => reads.get(["n", String(number)])));
  assert.deepEqual(entries.map(({ value }) => value), numbers);
  assert.ok(store.asked.every((keys) => keys.length <= 10));
});

Deno.test("what was read ahead needs no read of its own by who goes on at once", async () => {
  using store = await watched();
  await store.kv.set(["next"], "there");
  const reads = coalescedReads(store.kv);
  await Promise.all([1, 2].map(async (caller) => {
    await reads.get(["first", String(caller)], [["next"]]);
    assert.equal((await reads.get(["next"])).value, "there");
  }));
  assert.deepEqual(store.asked, [["first/1", "next", "first/2"]]);
});

Deno.test("what was read ahead is read again by who comes later", async () => {
  using store = await watched();
  const reads = coalescedReads(store.kv);
  await reads.get(["first"], [["next"]]);
  await new Promise((resolve) => setTimeout(resolve));
  await store.kv.set(["next"], "there");
  assert.equal((await reads.get(["next"])).value, "there");
});

Deno.test("what was read ahead is read again after this process has written it", async () => {
  using store = await watched();
  const reads = coalescedReads(store.kv);
  await reads.get(["first"], [["next"]]);
  reads.written(["next"]);
  assert.equal((await reads.get(["next"])).value, null);
  assert.deepEqual(store.asked, [["first", "next"], ["next"]]);
});

Deno.test("a read that fails is told to all who asked, and the next one is tried", async () => {
  using store = await watched();
  const getMany = store.kv.getMany;
  store.kv.getMany = () => Promise.reject(new Error("the disk is gone"));
  const reads = coalescedReads(store.kv);
  const outcomes = await Promise.allSettled([reads.get(["a"], [["c"]]), reads.get(["b"])]);
  assert.deepEqual(outcomes.map(({ status }) => status), ["rejected", "rejected"]);
  store.kv.getMany = getMany;
  assert.equal((await reads.get(["a"])).value, null);
});
