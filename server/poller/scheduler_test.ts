import { configure, type LogRecord, reset } from "@logtape/logtape";
import assert from "node:assert/strict";
import { noMeter } from "../../tests/support/meter.ts";
import type { PollerStanding } from "../metering.ts";
import { PolledStore, WORKSPACE } from "../../tests/support/polled_store.ts";
import { closedGate, SampleSource } from "../../tests/support/sample_poller.ts";
import { keys } from "../store/keys.ts";
import { eventId } from "../ingest/identity.ts";

Deno.test("Scheduler polls a poller at the first tick, and then when its schedule says, in UTC", async () => {
  using store = await PolledStore.open();
  const source = new SampleSource();
  const scheduler = store.scheduler([source.connector()]);
  await store.configure("things", { config: { schedule: "*/5 12 * * *" } });
  await store.tickAt("12:01:00", scheduler);
  source.things.push("a");
  for (const time of ["12:02:00", "12:03:00", "12:04:00"]) await store.tickAt(time, scheduler);
  assert.deepEqual([source.cursors, store.texts], [[null], []]);
  await store.tickAt("12:05:00", scheduler);
  assert.deepEqual([source.cursors, store.texts], [[null, 0], ["a"]]);
  assert.equal(store.published[0]?.event.id, eventId(WORKSPACE, "things", "0", 0));
  await store.tickAt("12:55:00", scheduler);
  await store.tickAt("13:00:00", scheduler);
  assert.equal(source.cursors.length, 3, "the schedule says until 12:59");
});

Deno.test("Scheduler tells at each tick that a state cannot be read, touches it not, and begins anew where it is asked to", async () => {
  using store = await PolledStore.open();
  const source = new SampleSource();
  const polls: string[] = [];
  const standings: (readonly PollerStanding[])[] = [];
  const scheduler = store.scheduler([source.connector()], {
    meter: {
      ...noMeter,
      polled: (_, outcome) => polls.push(outcome),
      pollersStand: (stand) => standings.push(stand),
    },
  });
  await store.configure("things");
  source.things.push("before");
  await store.tickAt("12:00:00", scheduler);
  const key = keys.pollerState(WORKSPACE, "things");
  const { value: whole } = await store.kv.get<Uint8Array>(key);
  for (
    const [damaged, reason] of [
      [new TextEncoder().encode("{"), /not JSON.*\)\. Restore a backup, or start anew/],
      [
        new TextEncoder().encode(
          new TextDecoder().decode(whole ?? assert.fail()).replace(/("sealed":")..../, "$1AAAA"),
        ),
        /known format/,
      ],
      [{ generation: crypto.randomUUID(), chunks: 2 }, /chunks are missing/],
    ] as const
  ) {
    await store.kv.set(key, damaged);
    for (const time of ["12:05:00", "12:06:00"]) await store.tickAt(time, scheduler);
    await assert.rejects(scheduler.pollNow(WORKSPACE, "things"), { name: "ConflictError", message: reason });
    assert.deepEqual((await store.kv.get(key)).value, damaged);
    assert.deepEqual(polls, ["succeeded", "failed", "failed", "failed"]);
    assert.equal(standings.at(-1)?.[0]?.isFailing, true);
    assert.equal(source.cursors.length, 1);
    await scheduler.pollNow(WORKSPACE, "things", { startAnew: true });
    await store.tickAt("12:15:00", scheduler);
    assert.equal(source.cursors[1], null);
    assert.equal((await store.states.get(WORKSPACE, "things"))?.value.lastError, null);
    source.cursors.splice(1);
    polls.splice(1);
  }
});

Deno.test("Scheduler does not poll twice where a tick comes a moment before its minute", async () => {
  using store = await PolledStore.open();
  const source = new SampleSource();
  const scheduler = store.scheduler([source.connector()]);
  await store.configure("things", { config: { schedule: "*/5 * * * *" } });
  await store.tickAt("12:01:00", scheduler);
  await store.tickAt("12:04:59.999", scheduler);
  await store.tickAt("12:05:59.999", scheduler);
  assert.equal(source.cursors.length, 2);
});

Deno.test("Scheduler does not stand still where the clock was ahead and is set back", async () => {
  using store = await PolledStore.open();
  const source = new SampleSource();
  const scheduler = store.scheduler([source.connector()]);
  await store.configure("things", { config: { schedule: "*/5 * * * *" } });
  await store.tickAt("15:01:00", scheduler);
  await store.tickAt("12:01:00", scheduler);
  assert.equal(source.cursors.length, 2);
  for (const time of ["12:00:30", "12:02:00", "12:05:00"]) await store.tickAt(time, scheduler);
  assert.equal(source.cursors.length, 3, "and polls on by its schedule, also where another clock is a bit behind");
});

Deno.test("Scheduler polls what was enabled or changed at the next tick, and what was disabled never again", async () => {
  using store = await PolledStore.open();
  const source = new SampleSource();
  const scheduler = store.scheduler([source.connector()]);
  await store.configure("things", { enabled: false });
  await store.tickAt("12:00:00", scheduler);
  assert.equal(source.cursors.length, 0);
  await store.configure("things");
  await store.tickAt("12:01:00", scheduler);
  await store.configure("things", { config: { label: "another" } });
  await store.tickAt("12:02:00", scheduler);
  assert.deepEqual(source.cursors, [null, 0], "the cursor outlives a change");
  await store.configure("things", { enabled: false });
  await store.tickAt("12:10:00", scheduler);
  assert.equal(source.cursors.length, 2);
  await assert.rejects(scheduler.pollNow(WORKSPACE, "things"), { name: "ConflictError", message: /not enabled/ });
  await store.configure("things");
  await store.tickAt("12:11:00", scheduler);
  assert.deepEqual(source.cursors, [null, 0, 0], "and being off");
});

Deno.test("Schedulers of two processes poll exactly once per due time", async () => {
  using store = await PolledStore.open();
  const source = new SampleSource();
  const schedulers = [store.scheduler([source.connector()]), store.scheduler([source.connector()])];
  await store.configure("things");
  for (const [index, time] of ["12:00:00", "12:05:00", "12:10:00", "12:15:00"].entries()) {
    await store.tickAt(time, ...schedulers);
    assert.equal(source.cursors.length, index + 1, time);
  }
});

Deno.test("Scheduler leaves a poller that is polled at this moment to whoever does it", async () => {
  using store = await PolledStore.open();
  const source = new SampleSource();
  const { gate, open } = closedGate();
  const started = Promise.withResolvers<void>();
  source.gate = gate;
  source.onPoll = () => started.resolve();
  const [one, other] = [store.scheduler([source.connector()]), store.scheduler([source.connector()])];
  await store.configure("things");
  await one.tick();
  await started.promise;
  assert.equal(one.isPolling(WORKSPACE, "things"), true);
  await one.tick();
  await other.tick();
  await other.idle();
  for (const scheduler of [one, other]) {
    await assert.rejects(scheduler.pollNow(WORKSPACE, "things"), {
      name: "ConflictError",
      message: /being polled at this moment/,
    });
  }
  open();
  await one.idle();
  assert.equal(source.cursors.length, 1);
  assert.equal(await other.pollNow(WORKSPACE, "things"), 0);
});

Deno.test("Scheduler looks again once it has the lease: what another process did by then holds", async () => {
  using store = await PolledStore.open();
  const source = new SampleSource();
  const { leases } = store;
  const other = store.scheduler([source.connector()]);
  let before = async () => {
    await other.tick();
    await other.idle();
  };
  store.leases = {
    async acquire(...lease) {
      await before();
      return await leases.acquire(...lease);
    },
  };
  const scheduler = store.scheduler([source.connector()]);
  await store.configure("things");
  await store.tickAt("12:00:00", scheduler);
  assert.equal(source.cursors.length, 1, "the other has polled it");
  before = () => store.configure("things", { enabled: false });
  await assert.rejects(scheduler.pollNow(WORKSPACE, "things"), { name: "ConflictError" });
  assert.equal(source.cursors.length, 1, "it was turned off");
});

Deno.test("Scheduler ends a run whose lease another process took", async () => {
  using store = await PolledStore.open();
  const source = new SampleSource();
  source.gate = new Promise(() => {});
  const started = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<Error>();
  source.onPoll = (signal) => {
    signal.addEventListener("abort", () => ended.resolve(signal.reason));
    started.resolve();
  };
  const scheduler = store.scheduler([source.connector()], { leaseMs: 30 });
  await store.configure("things");
  await scheduler.tick();
  await started.promise;
  const overtake = async () => {
    store.now = new Date(store.now.getTime() + 60_000);
    return await store.leases.acquire([WORKSPACE, "poll", "things"], 1000);
  };
  while (await overtake() === undefined) continue;
  assert.match((await ended.promise).message, /another process has taken over/);
  await scheduler.idle();
});

Deno.test("Scheduler goes on with a run whose lease cannot be renewed at the moment", async () => {
  using store = await PolledStore.open();
  const source = new SampleSource();
  const { gate, open } = closedGate();
  source.gate = gate;
  const { leases } = store;
  let tries = 0;
  store.leases = {
    async acquire(...wanted) {
      const lease = await leases.acquire(...wanted);
      const renew = () => {
        if (++tries === 3) open();
        return Promise.reject(new Error("the store is locked"));
      };
      return lease && { ...lease, renew };
    },
  };
  const scheduler = store.scheduler([source.connector()], { leaseMs: 30 });
  await store.configure("things");
  assert.equal(await scheduler.pollNow(WORKSPACE, "things"), 0);
});

Deno.test("Scheduler is not held up by a poller that hangs or fails", async () => {
  using store = await PolledStore.open();
  const [hanging, failing, working] = [new SampleSource(), new SampleSource(), new SampleSource()];
  hanging.gate = new Promise(() => {});
  failing.failure = new Error("no");
  const started = Promise.withResolvers<AbortSignal>();
  const polled = Promise.withResolvers<void>();
  hanging.onPoll = (signal) => started.resolve(signal);
  working.onPoll = () => polled.resolve();
  const ids = { "a-hanging": hanging, "b-failing": failing, "c-working": working };
  const scheduler = store.scheduler(Object.entries(ids).map(([id, source]) => source.connector({ id })));
  for (const id of Object.keys(ids)) await store.configure(id);
  await scheduler.tick();
  const signal = await started.promise;
  await polled.promise;
  assert.equal(signal.aborted, false);
  await scheduler.stop();
  assert.equal(signal.aborted, true);
});

Deno.test("Scheduler polls no more sources at a time than it has places for, and all of them", async () => {
  using store = await PolledStore.open();
  const sources = ["a", "b", "c", "d", "e"].map((id) => ({ id, source: new SampleSource() }));
  const [running, most] = [new Set<string>(), new Set<number>()];
  for (const { id, source } of sources) {
    source.onPoll = async () => {
      most.add(running.add(id).size);
      // Time enough for any other to begin.
      for (let reads = 0; reads < 50; reads++) await store.states.get(WORKSPACE, id);
      running.delete(id);
    };
  }
  const turns = { places: 2, placeMs: 2 ** 31 - 1 };
  const scheduler = store.scheduler(sources.map(({ id, source }) => source.connector({ id })), { turns });
  for (const { id } of sources) await store.configure(id);
  await store.tickAt("12:00:00", scheduler);
  assert.deepEqual(sources.map(({ source }) => source.cursors), sources.map(() => [null]));
  assert.ok(Math.max(...most) <= 2, `${[...most]}`);
});

Deno.test("Scheduler goes on with the others where a source hangs in the only place", async () => {
  using store = await PolledStore.open();
  const [hanging, working] = [new SampleSource(), new SampleSource()];
  hanging.gate = new Promise(() => {});
  const polled = Promise.withResolvers<void>();
  working.onPoll = () => polled.resolve();
  const ids = { "a-hanging": hanging, "b-working": working };
  const connectors = Object.entries(ids).map(([id, source]) => source.connector({ id }));
  const scheduler = store.scheduler(connectors, { turns: { places: 1, placeMs: 1 } });
  for (const id of Object.keys(ids)) await store.configure(id);
  await scheduler.tick();
  await polled.promise;
  await scheduler.stop();
});

Deno.test("Scheduler that stops begins nothing of what waits for its turn", async () => {
  using store = await PolledStore.open();
  const [hanging, waiting] = [new SampleSource(), new SampleSource()];
  hanging.gate = new Promise(() => {});
  const started = Promise.withResolvers<void>();
  hanging.onPoll = () => started.resolve();
  const ids = { "a-hanging": hanging, "b-waiting": waiting };
  const connectors = Object.entries(ids).map(([id, source]) => source.connector({ id }));
  const scheduler = store.scheduler(connectors, { turns: { places: 1, placeMs: 2 ** 31 - 1 } });
  for (const id of Object.keys(ids)) await store.configure(id);
  await scheduler.tick();
  await started.promise;
  await scheduler.stop();
  assert.deepEqual([hanging.cursors, waiting.cursors], [[null], []]);
});

Deno.test("Scheduler gives up a poll that takes too long", async () => {
  using store = await PolledStore.open();
  const source = new SampleSource();
  source.gate = new Promise(() => {});
  const scheduler = store.scheduler([source.connector({ timeoutMs: 1 })]);
  await store.configure("things");
  await store.tickAt("12:00:00", scheduler);
  const state = await store.states.get(WORKSPACE, "things");
  assert.equal(state?.value.lastError, "Cannot poll Things: it took too long");
});

Deno.test("Scheduler takes over from a process that died, once its lease has expired", async () => {
  using store = await PolledStore.open();
  const source = new SampleSource();
  await store.configure("things");
  assert.ok(await store.leases.acquire([WORKSPACE, "poll", "things"], 30_000));
  const scheduler = store.scheduler([source.connector()]);
  await store.tickAt("12:00:30", scheduler);
  assert.equal(source.cursors.length, 0);
  await store.tickAt("12:01:00", scheduler);
  assert.equal(source.cursors.length, 1);
});

Deno.test("Scheduler stops: polls under way are ended, their leases given back, and nothing is a failure", async () => {
  using store = await PolledStore.open();
  const source = new SampleSource();
  source.gate = new Promise(() => {});
  const scheduler = store.scheduler([source.connector()]);
  await store.configure("things");
  await store.tickAt("11:00:00");
  const started = Promise.withResolvers<void>();
  source.onPoll = () => started.resolve();
  const polled = assert.rejects(scheduler.pollNow(WORKSPACE, "things"), { name: "StoppingError" });
  await started.promise;
  await scheduler.stop();
  await polled;
  assert.equal(await store.states.get(WORKSPACE, "things"), undefined);
  await scheduler.tick();
  assert.equal(source.cursors.length, 1);
  await assert.rejects(scheduler.pollNow(WORKSPACE, "things"), { name: "StoppingError" });
  source.gate = Promise.resolve();
  assert.equal(await store.scheduler([source.connector()]).pollNow(WORKSPACE, "things"), 0, "at once");
});

Deno.test("Scheduler ends the runs of a workspace that is removed, and leaves nothing of them", async () => {
  using store = await PolledStore.open();
  const source = new SampleSource();
  const scheduler = store.scheduler([source.connector()]);
  await store.configure("things");
  await store.tickAt("12:00:00", scheduler);
  source.gate = new Promise(() => {});
  const started = Promise.withResolvers<void>();
  source.onPoll = () => started.resolve();
  const polled = assert.rejects(scheduler.pollNow(WORKSPACE, "things"), { message: /the workspace was removed/ });
  await started.promise;
  await store.workspaces.remove(WORKSPACE, () => scheduler.end(WORKSPACE));
  await polled;
  await store.tickAt("12:10:00", scheduler);
  assert.equal(source.cursors.length, 2);
  const left = (await Array.fromAsync(store.kv.list({ prefix: [] }))).map(({ key }) => key[0]);
  const expected = ["audit", "connector_configs_revision", "workspace_removal"];
  assert.deepEqual(left, expected, "an account of changes outlives its workspace");
});

Deno.test("Scheduler tells of each run how it ended, and at each tick how its pollers stand", async () => {
  using store = await PolledStore.open();
  const source = new SampleSource();
  const polled: string[] = [];
  let standings: readonly PollerStanding[] = [];
  const scheduler = store.scheduler([source.connector()], {
    meter: {
      ...noMeter,
      polled: (connectorId, outcome) => polled.push(`${connectorId} ${outcome}`),
      pollersStand: (all) => standings = all,
    },
  });
  await store.configure("things", { config: { schedule: "*/5 * * * *" } });
  await store.tickAt("12:00:00", scheduler);
  await store.tickAt("12:01:00", scheduler);
  assert.deepEqual([polled, standings], [["things succeeded"], [{
    connectorId: "things",
    behindMs: 0,
    isFailing: false,
  }]]);
  source.failure = new Error("broken for a test");
  await store.tickAt("12:06:00", scheduler);
  assert.deepEqual(polled, ["things succeeded", "things failed"]);
  assert.equal(standings[0]?.behindMs, 60_000, "it was due a minute ago");
  await store.tickAt("12:06:30", scheduler);
  assert.deepEqual(standings, [{ connectorId: "things", behindMs: 390_000, isFailing: true }]);
  await store.configure("things", { enabled: false });
  await store.tickAt("12:07:00", scheduler);
  assert.deepEqual(standings, []);
});

Deno.test("Scheduler logs each run on one line, and one that found nothing only at the level debug", async () => {
  using store = await PolledStore.open();
  const source = new SampleSource();
  const scheduler = store.scheduler([source.connector()]);
  await store.configure("things");
  const records: LogRecord[] = [];
  const sink = (record: LogRecord) => void records.push(record);
  await configure({
    reset: true,
    sinks: { sink },
    loggers: [
      { category: ["inlet", "poller"], sinks: ["sink"] },
      { category: ["logtape", "meta"], lowestLevel: "warning" },
    ],
  });
  try {
    await store.tickAt("12:00:00", scheduler);
    source.things.push("a");
    await store.tickAt("12:05:00", scheduler);
  } finally {
    await reset();
  }
  assert.deepEqual(records.map(({ level, message }) => [level, message.join("")]), [
    ["debug", "polled things: nothing new, in 0 ms"],
    ["info", "polled things: 1 published in 0 ms"],
  ]);
});
