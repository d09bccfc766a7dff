import assert from "node:assert/strict";
import { Pruner } from "./pruner.ts";

const keysOf = ({ key }: { key: Deno.KvKey }) => Promise.resolve([key]);
const entry = (index: number) => ["entry", index];
/** Of entries that do not expire. */
const lasting = { ageMs: Infinity, writtenAt: () => 0, now: () => new Date(0), keysOf };

async function kept(kv: Deno.Kv): Promise<number[]> {
  return await Array.fromAsync(kv.list({ prefix: ["entry"] }), ({ key }) => Number(key[1]));
}

Deno.test("a pruner keeps a tenth more than the share at most, and deletes a hundredth at a time, the oldest", async () => {
  using kv = await Deno.openKv(":memory:");
  const pruner = new Pruner(kv, { ...lasting, most: 300 });
  for (let index = 0; index < 500; index++) {
    await kv.set(entry(index), 0);
    pruner.added(["entry"], 1);
    await pruner.idle();
    const left = await kept(kv);
    assert.equal(left.at(-1), index);
    assert.equal(left.length, index + 1 - (left[0] ?? 0), "none is left out in between");
    if (index >= 330) assert.ok(left.length >= 327 && left.length <= 330, String(left.length));
  }
});

Deno.test("a pruner goes by what entries count for, and by what was there before it began", async () => {
  using kv = await Deno.openKv(":memory:");
  for (let index = 0; index < 10; index++) await kv.set(entry(index), 0);
  const pruner = new Pruner(kv, { ...lasting, most: 50, weightOf: () => 10 });
  pruner.added(["entry"], 10);
  await pruner.idle();
  assert.deepEqual(await kept(kv), [5, 6, 7, 8, 9]);
});

Deno.test("a share of one keeps the newest", async () => {
  using kv = await Deno.openKv(":memory:");
  const pruner = new Pruner(kv, { ...lasting, most: 1 });
  for (let index = 0; index < 3; index++) {
    await kv.set(entry(index), 0);
    pruner.added(["entry"], 1);
    await pruner.idle();
    assert.deepEqual(await kept(kv), [index]);
  }
});

Deno.test("what is written while a pruner is at work is counted too, and nothing of the share goes", async () => {
  using kv = await Deno.openKv(":memory:");
  for (let index = 0; index < 200; index++) await kv.set(entry(index), 0);
  const pruner = new Pruner(kv, { ...lasting, most: 100 });
  for (let index = 200; index < 400; index++) {
    await kv.set(entry(index), 0);
    pruner.added(["entry"], 1);
  }
  await pruner.idle();
  const left = await kept(kv);
  assert.equal(left.at(-1), 399);
  assert.ok(left.length >= 100 && left.length <= 130, String(left.length));
});

Deno.test("a pruner that could not delete tries again with what is written next", async () => {
  using kv = await Deno.openKv(":memory:");
  for (let index = 0; index < 20; index++) await kv.set(entry(index), 0);
  let isBroken = true;
  const pruner = new Pruner(kv, {
    ...lasting,
    most: 10,
    keysOf: (entry) => isBroken ? Promise.reject(new Error("the disk is gone")) : keysOf(entry),
  });
  pruner.added(["entry"], 20);
  await pruner.idle();
  assert.equal((await kept(kv)).length, 20);
  isBroken = false;
  await kv.set(entry(20), 0);
  pruner.added(["entry"], 1);
  await pruner.idle();
  assert.equal((await kept(kv)).length, 10);
});

Deno.test("a pruner reads nothing while few entries were added", async () => {
  using kv = await Deno.openKv(":memory:");
  let reads = 0;
  const list = kv.list.bind(kv);
  kv.list = (...args) => {
    reads++;
    return list(...args);
  };
  const pruner = new Pruner(kv, { ...lasting, most: 1000 });
  for (let index = 0; index < 9; index++) pruner.added(["entry"], 1);
  await pruner.idle();
  assert.equal(reads, 0);
  pruner.added(["entry"], 1);
  await pruner.idle();
  assert.equal(reads, 1);
});

Deno.test("what has expired counts no more: what comes after a quiet time stays", async () => {
  using kv = await Deno.openKv(":memory:");
  let now = new Date("2026-01-02T03:04:05Z");
  const writtenAt = ({ value }: Deno.KvEntry<unknown>) => Number(value);
  const options = { most: 100, ageMs: 60_000, writtenAt, now: () => now, keysOf };
  const write = async (pruner: Pruner, from: number, to: number) => {
    for (let index = from; index < to; index++) {
      await kv.set(entry(index), now.getTime());
      pruner.added(["entry"], 1);
      now = new Date(now.getTime() + 100);
    }
    await pruner.idle();
  };
  /** As Deno KV does. */
  const expire = async (to: number) => {
    for (let index = 0; index < to; index++) await kv.delete(entry(index));
    now = new Date(now.getTime() + 60_000);
  };
  const pruner = new Pruner(kv, options);
  await write(pruner, 0, 105);
  await expire(105);
  await write(pruner, 105, 205);
  assert.equal((await kept(kv)).length, 100);

  // After a start what is there has the rest of its time left, and no more.
  const restarted = new Pruner(kv, options);
  await write(restarted, 205, 210);
  assert.equal((await kept(kv)).length, 105);
  await expire(210);
  await write(restarted, 210, 310);
  assert.equal((await kept(kv)).length, 100);
});

Deno.test("what was written after a clock that was ahead was set back counts no more when it has expired", async () => {
  using kv = await Deno.openKv(":memory:");
  let now = Date.parse("2026-01-02T03:04:05Z");
  const writtenAt = ({ value }: Deno.KvEntry<unknown>) => Number(value);
  const pruner = new Pruner(kv, { most: 100, ageMs: 60_000, writtenAt, now: () => new Date(now), keysOf });
  const write = async (from: number, to: number) => {
    for (let index = from; index < to; index++) {
      await kv.set(entry(index), now);
      pruner.added(["entry"], 1);
    }
    await pruner.idle();
  };
  now += 3_600_000;
  await write(0, 1);
  now -= 3_600_000;
  await write(1, 106);
  // As Deno KV does.
  for (let index = 1; index < 106; index++) await kv.delete(entry(index));
  now += 60_000;
  await write(106, 206);
  assert.equal((await kept(kv)).length, 101);
});
