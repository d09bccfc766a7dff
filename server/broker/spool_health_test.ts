import assert from "node:assert/strict";
import { spoolHealth } from "./spool_health.ts";

const now = new Date("2026-01-02T03:04:05Z");
const limitBytes = 1024 ** 3;
const since = (seconds: number) => new Date(now.getTime() - seconds * 1000);
const calm = { isRefusing: false, unwritable: undefined, problem: undefined, now };

Deno.test("the spool's state is told in words", () => {
  for (
    const [events, bytes, oldestAt, detail, deadLetters = 0] of [
      [0, 0, undefined, "no event waits, 0 bytes of 1 GiB"],
      [0, 410_624, undefined, "no event waits, 2 dead letters, 401 KiB of 1 GiB", 2],
      [1, 700, since(1), "1 event waiting for the broker, the oldest for 1 second, 700 bytes of 1 GiB"],
      [12, 4_400_000, since(200), "12 events waiting for the broker, the oldest for 3 minutes, 4.2 MiB of 1 GiB"],
      [2, 1536, since(7200), "2 events waiting for the broker, the oldest for 2 hours, 1.5 KiB of 1 GiB"],
      [2, 1536, since(-5), "2 events waiting for the broker, the oldest for 0 seconds, 1.5 KiB of 1 GiB"],
    ] as const
  ) {
    const state = { events, bytes, deadLetters, limitBytes, oldestAt };
    assert.deepEqual(spoolHealth(state, calm), {
      ok: true,
      takesEvents: true,
      detail,
      entries: events,
      bytes,
      state,
    });
  }
});

Deno.test("a spool is not well when it is full, when it refused of late, and when it cannot be emptied", () => {
  const state = { events: 1, bytes: limitBytes - 1000, deadLetters: 0, limitBytes, oldestAt: since(1) };
  const full = spoolHealth(state, calm);
  assert.deepEqual([full.ok, full.takesEvents], [false, false]);
  assert.match(full.detail, /^full \(SPOOL_MAX_BYTES\): /);
  const half = { ...state, bytes: limitBytes / 2 };
  assert.equal(spoolHealth(half, calm).ok, true);
  const refusing = spoolHealth(half, { ...calm, isRefusing: true });
  assert.deepEqual([refusing.ok, refusing.takesEvents], [false, false]);
  const broken = spoolHealth(half, { ...calm, problem: "an entry cannot be read" });
  assert.match(broken.detail, /^broken: an entry cannot/);
  assert.deepEqual([broken.ok, broken.takesEvents], [false, true]);
  const unwritable = spoolHealth(half, { ...calm, unwritable: "disk I/O error", problem: "disk I/O error" });
  assert.match(unwritable.detail, /^broken: it cannot be written \(KV_PATH\): disk I\/O error; 1 event/);
  assert.deepEqual([unwritable.ok, unwritable.takesEvents], [false, false]);
});
