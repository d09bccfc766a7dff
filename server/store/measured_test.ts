import assert from "node:assert/strict";
import { measured } from "./measured.ts";

Deno.test("a measured store does what it did, and tells of each read and commit, also those that fail", async () => {
  const told: string[] = [];
  using kv = measured(await Deno.openKv(":memory:"), {
    stored(operation, durationMs) {
      assert.ok(durationMs >= 0);
      told.push(operation);
    },
  });
  await kv.set(["a"], 1);
  assert.equal((await kv.get(["a"])).value, 1);
  assert.deepEqual((await kv.getMany([["a"], ["b"]])).map(({ value }) => value), [1, null]);
  assert.deepEqual(await kv.atomic().check({ key: ["a"], versionstamp: null }).set(["a"], 2).commit(), { ok: false });
  assert.equal((await kv.atomic().set(["a"], 3).set(["b"], 4).commit()).ok, true);
  await kv.delete(["b"]);
  assert.deepEqual(await Array.fromAsync(kv.list({ prefix: [] }), ({ value }) => value), [3]);
  await assert.rejects(kv.set(["large"], "x".repeat(100_000)));
  assert.deepEqual(told, ["commit", "read", "read", "commit", "commit", "commit", "commit"]);
});
