import assert from "node:assert/strict";
import { createSealer } from "../crypto/seal.ts";
import { keys } from "./keys.ts";
import { leaseStore } from "./leases.ts";
import { pollerStateStore } from "./poller_states.ts";
import type { PollerState } from "../poller/deps.ts";

const STATE: PollerState = {
  workspaceId: "8f14e45f-ceea-467f-a8b8-1d2f6e0b9c11",
  connectorId: "things",
  cursor: { at: ["a", 1] },
  configVersion: "1",
  lastRunAt: new Date("2026-03-02T12:00:00.000Z"),
  caughtUpAt: null,
  lastError: null,
  failures: 0,
  nextRunAt: new Date("2026-03-02T12:05:00.000Z"),
};

class Clock {
  at = Date.parse("2026-03-02T12:00:00Z");
  readonly now = () => new Date(this.at);
  pass(seconds: number): void {
    this.at += seconds * 1000;
  }
}

const sealer = await createSealer(new Uint8Array(32));

Deno.test("leases: of many who ask for one at the same moment, one gets it, and another name is free", async () => {
  using kv = await Deno.openKv(":memory:");
  const { now } = new Clock();
  const got = await Promise.all(Array.from({ length: 20 }, () => leaseStore(kv, now).acquire(["w", "a"], 30_000)));
  assert.equal(got.filter((lease) => lease !== undefined).length, 1);
  assert.ok(await leaseStore(kv, now).acquire(["w", "b"], 30_000));
});

Deno.test("leases: one that is given back is free at once, one that is not when it expired with a margin", async () => {
  using kv = await Deno.openKv(":memory:");
  const clock = new Clock();
  const leases = leaseStore(kv, clock.now);
  await (await leases.acquire(["w", "a"], 30_000))?.release();
  const first = await leases.acquire(["w", "a"], 30_000);
  assert.ok(first);
  clock.pass(29);
  assert.equal(await first.renew(), true);
  clock.pass(39);
  assert.equal(await leases.acquire(["w", "a"], 30_000), undefined, "a clock that is ahead takes nothing away");
  clock.pass(2);
  assert.ok(await leases.acquire(["w", "a"], 30_000));
  assert.equal(await first.renew(), false);
  await first.release();
  assert.equal(await leases.acquire(["w", "a"], 30_000), undefined, "only its holder gives it back");
});

Deno.test("leases: one whose record cannot be read is free", async () => {
  using kv = await Deno.openKv(":memory:");
  const leases = leaseStore(kv, new Clock().now);
  await kv.set(keys.lease(["w", "a"]), "nonsense");
  const lease = await leases.acquire(["w", "a"], 30_000);
  assert.equal(await lease?.renew(), true);
});

Deno.test("leases: a state is written under the lease that is held, renewed or not, and never under a lost one", async () => {
  using kv = await Deno.openKv(":memory:");
  const clock = new Clock();
  const [leases, states] = [leaseStore(kv, clock.now), pollerStateStore(kv, sealer)];
  const lease = await leases.acquire(["w", "a"], 30_000);
  assert.ok(lease);
  const first = await states.save(STATE, null, lease);
  assert.ok(first);
  await lease.renew();
  assert.equal(await states.save(STATE, null, lease), undefined, "somebody else wrote first");
  const second = await states.save({ ...STATE, failures: 1 }, first.version, lease);
  assert.ok(second);
  clock.pass(60);
  const other = await leases.acquire(["w", "a"], 30_000);
  assert.ok(other);
  assert.equal(await states.save({ ...STATE, failures: 2 }, second.version, lease), undefined);
  await other.release();
  assert.equal(await states.save({ ...STATE, failures: 2 }, second.version, other), undefined, "given back is lost");
  const stored = await states.get(STATE.workspaceId, STATE.connectorId);
  assert.deepEqual(stored?.value, { ...STATE, failures: 1 });
});

Deno.test("leases: one that was taken by a clock an hour ahead is not in the way for that hour", async () => {
  using kv = await Deno.openKv(":memory:");
  const [ahead, right] = [new Clock(), new Clock()];
  ahead.pass(3600);
  const first = await leaseStore(kv, ahead.now).acquire(["w", "a"], 30_000);
  assert.ok(first);
  assert.ok(await leaseStore(kv, right.now).acquire(["w", "a"], 30_000));
  assert.equal(await first.renew(), false, "whoever had it sees that it is another's");
});

Deno.test("leases: its holder keeps one that it renews twice at a moment, and gives back one that it renews just then", async () => {
  using kv = await Deno.openKv(":memory:");
  const leases = leaseStore(kv, new Clock().now);
  const lease = await leases.acquire(["w", "a"], 30_000);
  assert.ok(lease);
  assert.deepEqual(await Promise.all(Array.from({ length: 5 }, () => lease.renew())), [true, true, true, true, true]);
  await Promise.all([lease.renew(), lease.renew(), lease.release()]);
  assert.ok(await leases.acquire(["w", "a"], 30_000), "it is free");
});
