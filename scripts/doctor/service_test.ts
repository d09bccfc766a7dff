import assert from "node:assert/strict";
import { keys } from "../../server/store/keys.ts";
import { examineClock, examineSkew } from "./service.ts";

const NOW = Date.parse("2026-03-02T12:00:00Z");
const DATE = "Mon, 02 Mar 2026 12:00:00 GMT";

Deno.test("examineSkew warns when the clock is more than a minute off another's, either way", () => {
  const states = [0, 59_000, -59_000, 61_000, -61_000].map((ms) => examineSkew(DATE, NOW + ms).state);
  assert.deepEqual(states, ["ok", "ok", "ok", "warning", "warning"]);
  assert.equal(examineSkew(null, NOW).state, "ok");
  assert.match(examineSkew(DATE, NOW + 600_000).detail, /^is 600 s off/);
});

Deno.test("examineClock warns when the store holds what is later than now", async () => {
  using kv = await Deno.openKv(":memory:");
  assert.deepEqual(await examineClock(kv, NOW), []);
  for (const [ms, expected] of [[0, 0], [600_000, 1]] as const) {
    await kv.set(
      keys.audit(`${(NOW + ms).toString(16).padStart(12, "0").replace(/^.{8}/, "$&-")}-7000-8000-000000000000`),
      {},
    );
    assert.equal((await examineClock(kv, NOW)).length, expected);
  }
});
