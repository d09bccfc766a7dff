import assert from "node:assert/strict";
import { counted, formatBytes } from "./words.ts";

Deno.test("counted says one thing as one", () => {
  assert.deepEqual([0, 1, 2].map((count) => counted(count, "event", ["waits", "wait"])), [
    "0 events wait",
    "1 event waits",
    "2 events wait",
  ]);
  assert.equal(counted(1, "value"), "1 value");
});

Deno.test("formatBytes says a size in the largest unit that it fills", () => {
  const sizes = [0, 1, 1023, 1024, 1536, 4_400_000, 1024 ** 3, 1024 ** 5];
  assert.deepEqual(sizes.map(formatBytes), [
    "0 bytes",
    "1 byte",
    "1023 bytes",
    "1 KiB",
    "1.5 KiB",
    "4.2 MiB",
    "1 GiB",
    "1024 TiB",
  ]);
});
