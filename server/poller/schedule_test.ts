import assert from "node:assert/strict";
import fc from "fast-check";
import type { PollerState } from "./deps.ts";
import { retryAt, standingOf } from "./schedule.ts";

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

Deno.test("standingOf is behind since a poller was due, and since it was caught up while its runs fail", () => {
  const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);
  const calm: PollerState = {
    workspaceId: "8f14e45f-ceea-467f-a8b8-1d2f6e0b9c11",
    connectorId: "things",
    cursor: null,
    configVersion: "1",
    lastRunAt: ago(5),
    caughtUpAt: ago(5),
    lastError: null,
    failures: 0,
    nextRunAt: ago(-5),
  };
  const behind = (state: PollerState | undefined) => {
    const { behindMs, isFailing } = standingOf(state, NOW);
    return [behindMs / 60_000, isFailing];
  };
  assert.deepEqual(behind(undefined), [0, false], "it was never polled");
  assert.deepEqual(behind(calm), [0, false]);
  assert.deepEqual(behind({ ...calm, nextRunAt: null }), [0, false], "its schedule has ended");
  assert.deepEqual(behind({ ...calm, nextRunAt: ago(3) }), [3, false]);
  assert.deepEqual(behind({ ...calm, failures: 1, caughtUpAt: ago(60) }), [60, true]);
  assert.deepEqual(behind({ ...calm, failures: 1, caughtUpAt: null }), [5, true]);
});
