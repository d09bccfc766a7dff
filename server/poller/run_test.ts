import assert from "node:assert/strict";
import { PollError } from "../../connectors/kit/mod.ts";
import { PolledStore, WORKSPACE } from "../../tests/support/polled_store.ts";
import { SAMPLE_PASSWORD, SampleSource } from "../../tests/support/sample_poller.ts";
import { BrokerUnavailableError, EventTooLargeError } from "../errors.ts";

Deno.test("Scheduler waits longer after each failure, up to an hour, and begins anew after a success", async () => {
  using store = await PolledStore.open();
  const source = new SampleSource();
  const scheduler = store.scheduler([source.connector()]);
  await store.configure("things", { config: { schedule: "* * * * *" } });
  source.failure = new PollError("Cannot log in: the password is wrong");
  const waits: number[] = [];
  for (let failure = 0; failure < 9; failure++) {
    await scheduler.tick();
    await scheduler.idle();
    const { nextRunAt, lastError, failures } = (await store.states.get(WORKSPACE, "things"))?.value ?? {};
    assert.deepEqual([lastError, failures], ["Cannot log in: the password is wrong", failure + 1]);
    waits.push(((nextRunAt?.getTime() ?? NaN) - store.now.getTime()) / 60_000);
    store.now = nextRunAt ?? store.now;
  }
  assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 60, 60, 60]);
  source.failure = undefined;
  await scheduler.tick();
  await scheduler.idle();
  const { lastError, failures, nextRunAt } = (await store.states.get(WORKSPACE, "things"))?.value ?? {};
  assert.deepEqual([lastError, failures], [null, 0]);
  assert.equal((nextRunAt?.getTime() ?? NaN) - store.now.getTime(), 60_000);
});

Deno.test("Scheduler never retries sooner than the schedule says", async () => {
  using store = await PolledStore.open();
  const source = new SampleSource();
  source.failure = new Error("no");
  const scheduler = store.scheduler([source.connector()], { random: 1 });
  await store.configure("things", { config: { schedule: "0 18 * * *" } });
  await store.tickAt("12:00:00", scheduler);
  assert.equal(
    (await store.states.get(WORKSPACE, "things"))?.value.nextRunAt?.toISOString(),
    "2026-03-02T18:00:00.000Z",
  );
});

Deno.test("Scheduler keeps the cursor where the events were not accepted, and repeats them with the same ids", async () => {
  using store = await PolledStore.open();
  const source = new SampleSource();
  const scheduler = store.scheduler([source.connector()]);
  await store.configure("things");
  await store.tickAt("12:00:00", scheduler);
  source.things.push("a", "b");
  const { accept } = store;
  const refused: string[] = [];
  store.accept = (events) => {
    refused.push(...events.map(({ event }) => event.id));
    return Promise.reject(new BrokerUnavailableError("Cannot publish: the broker is away"));
  };
  await store.tickAt("12:05:00", scheduler);
  const state = await store.states.get(WORKSPACE, "things");
  assert.deepEqual([state?.value.cursor, state?.value.lastError], [0, "Cannot publish: the broker is away"]);
  store.accept = accept;
  await store.tickAt("12:10:00", scheduler);
  assert.deepEqual([store.texts, store.published.map(({ event }) => event.id)], [["a", "b"], refused]);
});

Deno.test("Scheduler repeats a page with the same ids after a crash between publishing and storing", async () => {
  using store = await PolledStore.open();
  const source = new SampleSource();
  await store.configure("things");
  await store.tickAt("12:00:00", store.scheduler([source.connector()]));
  source.things.push("a", "b");
  const crashed = store.scheduler([source.connector()]);
  const { save } = store.states;
  store.states.save = () => Promise.reject(new Error("killed"));
  await store.tickAt("12:05:00", crashed);
  store.states.save = save;
  await store.tickAt("12:06:00", store.scheduler([source.connector()]));
  const ids = store.published.map(({ event }) => event.id);
  assert.deepEqual([store.texts, ids.slice(0, 2)], [["a", "b", "a", "b"], ids.slice(2)]);
  await store.tickAt("12:10:00", store.scheduler([source.connector()]));
  assert.equal(store.published.length, 4, "a restart goes on at the cursor");
});

Deno.test("Scheduler reads page after page, storing the cursor after each", async () => {
  using store = await PolledStore.open();
  const source = new SampleSource();
  const scheduler = store.scheduler([source.connector({ pageSize: 2 })]);
  await store.configure("things");
  await store.tickAt("12:00:00", scheduler);
  source.things.push("a", "b", "c", "d", "e");
  const stored: unknown[] = [];
  source.onPoll = async () => stored.push((await store.states.get(WORKSPACE, "things"))?.value.cursor);
  assert.equal(await scheduler.pollNow(WORKSPACE, "things"), 5);
  assert.deepEqual([store.texts, source.cursors, stored], [["a", "b", "c", "d", "e"], [null, 0, 2, 4], [0, 2, 4]]);
});

Deno.test("Scheduler goes on at the next tick with a source that has more than ten minutes' worth to give", async () => {
  using store = await PolledStore.open();
  const source = new SampleSource();
  const scheduler = store.scheduler([source.connector({ pageSize: 1 })]);
  await store.configure("things", { config: { schedule: "0 0 * * *" } });
  await store.tickAt("12:00:00", scheduler);
  source.things.push("a", "b", "c", "d");
  source.onPoll = () => store.now = new Date(store.now.getTime() + 6 * 60_000);
  assert.equal(await scheduler.pollNow(WORKSPACE, "things"), 2);
  await store.tickAt("12:20:00", scheduler);
  assert.deepEqual(store.texts, ["a", "b", "c", "d"]);
});

Deno.test("Scheduler stops between pages when the connector is turned off", async () => {
  using store = await PolledStore.open();
  const source = new SampleSource();
  const scheduler = store.scheduler([source.connector({ pageSize: 1 })]);
  await store.configure("things");
  await store.tickAt("12:00:00", scheduler);
  source.things.push("a", "b", "c");
  const { accept } = store;
  store.accept = async (events) => {
    await store.configure("things", { enabled: false });
    return await accept(events);
  };
  assert.equal(await scheduler.pollNow(WORKSPACE, "things"), 1);
});

Deno.test("Scheduler writes nothing once its lease is lost", async () => {
  using store = await PolledStore.open();
  const source = new SampleSource();
  const [paused, other] = [store.scheduler([source.connector()]), store.scheduler([source.connector()])];
  await store.configure("things");
  await store.tickAt("12:00:00", paused);
  source.things.push("a");
  const { accept } = store;
  store.accept = async (events) => {
    store.accept = accept;
    // Meanwhile the lease expires, and another process takes over and gets further.
    store.now = new Date("2026-03-02T12:06:00Z");
    source.things.push("b");
    assert.equal(await other.pollNow(WORKSPACE, "things"), 2);
    return await accept(events);
  };
  await assert.rejects(paused.pollNow(WORKSPACE, "things"), { name: "LeaseLostError" });
  assert.equal((await store.states.get(WORKSPACE, "things"))?.value.cursor, 2);
  assert.deepEqual(store.texts, ["a", "b", "a"], "a repeat, which has the same id");
});

Deno.test("Scheduler begins anew where it is asked to", async () => {
  using store = await PolledStore.open();
  const source = new SampleSource();
  const scheduler = store.scheduler([source.connector()]);
  await store.configure("things");
  await store.tickAt("12:00:00", scheduler);
  source.things.push("a");
  assert.equal(await scheduler.pollNow(WORKSPACE, "things", { startAnew: true }), 0);
  assert.deepEqual(source.cursors, [null, null]);
});

Deno.test("Scheduler tells of settings that do not fit any more, and not what they are", async () => {
  using store = await PolledStore.open();
  const source = new SampleSource();
  const scheduler = store.scheduler([source.connector()]);
  await store.configure("things", { config: { gone: SAMPLE_PASSWORD } });
  await store.tickAt("12:00:00", scheduler);
  const { lastError, nextRunAt } = (await store.states.get(WORKSPACE, "things"))?.value ?? {};
  assert.equal(lastError, "Cannot poll Things: its stored settings do not fit any more, save them again");
  assert.equal(nextRunAt?.toISOString(), "2026-03-02T12:01:00.000Z");
});

Deno.test("Scheduler leaves out an event that is too large for the broker, and no other", async () => {
  using store = await PolledStore.open();
  const source = new SampleSource();
  const scheduler = store.scheduler([source.connector()]);
  await store.configure("things");
  await store.tickAt("12:00:00", scheduler);
  source.things.push("a", "large", "b", "c", "d");
  const { accept } = store;
  store.accept = async (events) => {
    if (events.some(({ event }) => event.payload.text === "large")) {
      throw new EventTooLargeError("Cannot publish: large");
    }
    return await accept(events);
  };
  assert.equal(await scheduler.pollNow(WORKSPACE, "things"), 4);
  assert.deepEqual(store.texts, ["a", "b", "c", "d"]);
  assert.equal((await store.states.get(WORKSPACE, "things"))?.value.cursor, 5);
});
