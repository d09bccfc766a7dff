import assert from "node:assert/strict";
import fc from "fast-check";
import { retryAt } from "./schedule.ts";

const NOW = new Date("2026-03-02T12:00:00.000Z");
const minutes = (failures: number, random: number) =>
  (retryAt(failures, NOW, random).getTime() - NOW.getTime()) / 60_000;

Deno.test("retryAt takes up to half off, so that what failed together is not retried together", () => {
  assert.deepEqual([minutes(1, 0), minutes(1, 1), minutes(3, 0.5)], [1, 0.5, 3]);
});

Deno.test("retryAt is half a minute to an hour away, whatever the number of failures", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (count, random) => {
      const wait = minutes(count, random);
      assert.ok(wait >= 0.49 && wait <= 60, String(wait));
    }),
  );
});
