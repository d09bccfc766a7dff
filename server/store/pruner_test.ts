import assert from "node:assert/strict";
import { Pruner } from "./pruner.ts";

const entry = (index: number) => ["entry", index];

async function kept(kv: Deno.Kv): Promise<number[]> {
  return await Array.fromAsync(kv.list({ prefix: ["entry"] }), ({ key }) => Number(key[1]));
}

Deno.test("a pruner keeps a tenth more than the share at most, and deletes a hundredth at a time, the oldest", async () => {
  using kv = await Deno.openKv(":memory:");
  const pruner = new Pruner(kv, 300);
  for (let index = 0; index < 500; index++) {
    await kv.set(entry(index), 0);
    await pruner.added(["entry"], 1, ({ key }) => Promise.resolve([key]));
    const left = await kept(kv);
    assert.equal(left.at(-1), index);
    assert.equal(left.length, index + 1 - (left[0] ?? 0), "none is left out in between");
    if (index >= 330) assert.ok(left.length >= 327 && left.length <= 330, String(left.length));
  }
});

Deno.test("a pruner goes by what entries count for, and by what was there before it began", async () => {
  using kv = await Deno.openKv(":memory:");
  for (let index = 0; index < 10; index++) await kv.set(entry(index), 0);
  const pruner = new Pruner(kv, 50, () => 10);
  await pruner.added(["entry"], 10, ({ key }) => Promise.resolve([key]));
  assert.deepEqual(await kept(kv), [5, 6, 7, 8, 9]);
});

Deno.test("a share of one keeps the newest", async () => {
  using kv = await Deno.openKv(":memory:");
  const pruner = new Pruner(kv, 1);
  for (let index = 0; index < 3; index++) {
    await kv.set(entry(index), 0);
    await pruner.added(["entry"], 1, ({ key }) => Promise.resolve([key]));
    assert.deepEqual(await kept(kv), [index]);
  }
});
