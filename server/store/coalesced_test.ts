import assert from "node:assert/strict";
import { Coalesced, howManyFit } from "./coalesced.ts";

Deno.test("what gathers while a batch is under way goes with the next one, in order", async () => {
  const batches: (readonly number[])[] = [];
  const first = Promise.withResolvers<void>();
  const coalesced = new Coalesced<number, number>({
    run: async (batch) => {
      batches.push(batch);
      if (batches.length === 1) await first.promise;
      return batch.map((item) => item * 10);
    },
  });
  const results = [1, 2].map((item) => coalesced.add(item));
  await Promise.resolve();
  results.push(...[3, 4, 5].map((item) => coalesced.add(item)));
  first.resolve();
  assert.deepEqual(await Promise.all(results), [10, 20, 30, 40, 50]);
  assert.deepEqual(batches, [[1, 2], [3, 4, 5]], "and what is added one after the other goes together");
});

Deno.test("a batch is no larger than fits, and one that fits not at all goes alone", async () => {
  const batches: (readonly number[])[] = [];
  const coalesced = new Coalesced<number, undefined>({
    fit: (waiting) => howManyFit(waiting, 2, 100),
    run: (batch) => {
      batches.push(batch);
      return Promise.resolve(batch.map(() => undefined));
    },
  });
  await Promise.all([50, 50, 10, 500, 20, 20, 20].map((size) => coalesced.add(size)));
  assert.deepEqual(batches, [[50, 50], [10], [500], [20, 20], [20]]);
});

Deno.test("a batch that fails fails its own callers, and no others", async () => {
  const coalesced = new Coalesced<string, string>({
    fit: () => 1,
    run: (batch) => batch.includes("bad") ? Promise.reject(new Error("no")) : Promise.resolve(batch),
  });
  const results = await Promise.allSettled(["a", "bad", "b"].map((item) => coalesced.add(item)));
  assert.deepEqual(results.map(({ status }) => status), ["fulfilled", "rejected", "fulfilled"]);
});
