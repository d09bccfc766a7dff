import assert from "node:assert/strict";
import { createSealer } from "../crypto/seal.ts";
import type { PollerState } from "../poller/deps.ts";
import { leaseStore } from "./leases.ts";
import { pollerStateStore } from "./poller_states.ts";

const TITLE = "An appointment that nobody else is to know of";
const STATE: PollerState = {
  workspaceId: "8f14e45f-ceea-467f-a8b8-1d2f6e0b9c11",
  connectorId: "things",
  cursor: { calendars: { "/mira/": { title: TITLE } } },
  configVersion: "1",
  lastRunAt: new Date("2026-03-02T12:00:00.000Z"),
  caughtUpAt: null,
  lastError: null,
  failures: 0,
  nextRunAt: null,
};

const OLD_KEY = new Uint8Array(32).fill(1);
const NEW_KEY = new Uint8Array(32).fill(2);

Deno.test("a cursor is sealed in the store, for its connector, and sealed anew with another key", async () => {
  using kv = await Deno.openKv(":memory:");
  const lease = await leaseStore(kv, () => new Date()).acquire([STATE.workspaceId, "poll", "things"], 30_000);
  assert.ok(lease);
  const before = pollerStateStore(kv, await createSealer(OLD_KEY));
  assert.ok(await before.save(STATE, null, lease));
  const stored = await Array.fromAsync(kv.list<Uint8Array>({ prefix: ["poller_state"] }));
  const texts = stored.map(({ value }) => new TextDecoder().decode(value));
  assert.equal(texts.length, 1);
  assert.ok(!texts.join().includes(TITLE) && texts.join().includes("things"));

  const ring = pollerStateStore(kv, await createSealer(NEW_KEY, [OLD_KEY]));
  assert.deepEqual([await ring.reseal(), await ring.reseal()], [1, 0]);
  const after = pollerStateStore(kv, await createSealer(NEW_KEY));
  assert.deepEqual((await after.get(STATE.workspaceId, "things"))?.value, STATE);
  await assert.rejects(before.get(STATE.workspaceId, "things"), {
    message: /\(.*sealed with another key\)\. Put the key .* into ENCRYPTION_KEYS_OLD, or start anew/,
  });

  const other = ["poller_state", STATE.workspaceId, "others"];
  await kv.set(other, new TextEncoder().encode((texts[0] ?? "").replace('"things"', '"others"')));
  await assert.rejects(ring.get(STATE.workspaceId, "others"), { message: /sealed for another place/ });

  const newest = pollerStateStore(kv, await createSealer(new Uint8Array(32).fill(3), [NEW_KEY, OLD_KEY]));
  const left: string[] = [];
  assert.equal(await newest.reseal(({ message }) => left.push(message)), 1, "what cannot be read keeps nothing back");
  assert.equal(left.length, 1);
  assert.match(
    left[0] ?? "",
    /^Cannot read \["poller_state",.*"others"\] in the store: .*changed, or sealed for another place$/,
  );
  await assert.rejects(pollerStateStore(kv, await createSealer(NEW_KEY, [OLD_KEY])).reseal(), { name: "StoreError" });
});
