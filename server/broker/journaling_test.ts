import assert from "node:assert/strict";
import { someEvent } from "../../tests/support/events.ts";
import { createSealer } from "../crypto/seal.ts";
import type { Exchange, Journal } from "../deps.ts";
import { BrokerUnavailableError } from "../errors.ts";
import { acceptedDeliveries } from "../store/accepted.ts";
import { journalStore } from "../store/journal.ts";
import { embeddedExchange } from "./embedded.ts";
import { journaling } from "./journaling.ts";

Deno.test("events are kept in the order of their confirms, also where others of the same publish were refused", async () => {
  using kv = await Deno.openKv(":memory:");
  const journal = journalStore(kv, {
    sealer: await createSealer(new Uint8Array(32)),
    retention: { ageMs: 86_400_000, count: 1000 },
    dedupeWindowMs: 0,
    now: () => new Date(),
  });
  const [first, second, refused, third] = [someEvent(), someEvent(), someEvent(), someEvent()];
  const { promise: confirms, resolve: confirm } = Promise.withResolvers<void>();
  const embedded = embeddedExchange();
  /** Confirms all that was published in one instant, as a broker does with several messages. */
  const exchange: Exchange = {
    ...embedded,
    async publish(events) {
      await confirms;
      const confirmed = events.filter((event) => event !== refused);
      const confirmation = await embedded.publish(confirmed);
      if (confirmed.length === events.length) return confirmation;
      throw new BrokerUnavailableError("refused", { confirmed: new Set(confirmed.map(({ event }) => event.id)) });
    },
  };
  const shown: string[] = [];
  await embedded.live.subscribe((events) => void shown.push(...events.map(({ event }) => event.id)));
  const keeping = journaling(exchange, { journal, accepted: undefined, live: embedded.live });
  const published = Promise.allSettled([[first], [second, refused], [third]].map((events) => keeping.publish(events)));
  confirm();
  assert.deepEqual((await published).map(({ status }) => status), ["fulfilled", "rejected", "fulfilled"]);
  const kept = await Array.fromAsync(journal.after(first.event.workspaceId, undefined), ({ id }) => id);
  assert.deepEqual(kept, shown);
  assert.deepEqual(kept, [first, second, third].map(({ event }) => event.id));
});

Deno.test("a delivery is known as accepted also where no events are kept", async () => {
  using kv = await Deno.openKv(":memory:");
  const accepted = acceptedDeliveries(kv, { windowMs: 60_000, now: () => new Date() });
  const exchange = embeddedExchange();
  const keeping = journaling(exchange, { journal: undefined, accepted, live: exchange.live });
  const event = someEvent();
  const delivery = { workspaceId: event.event.workspaceId, id: "1" };
  await keeping.publish([event], { delivery });
  assert.equal(await accepted.has(delivery), true);
});

Deno.test("what the broker confirmed is confirmed, also where the store can keep nothing of it", async () => {
  const kv = await Deno.openKv(":memory:");
  const options = { dedupeWindowMs: 60_000, windowMs: 60_000, now: () => new Date() };
  const sealer = await createSealer(new Uint8Array(32));
  const journal = journalStore(kv, { ...options, sealer, retention: { ageMs: 86_400_000, count: 1000 } });
  const exchange = embeddedExchange();
  const shown: string[] = [];
  await exchange.live.subscribe((events) => void shown.push(...events.map(({ event }) => event.id)));
  const keeping = journaling(exchange, { journal, accepted: acceptedDeliveries(kv, options), live: exchange.live });
  kv.close();
  const event = someEvent();
  const delivery = { workspaceId: event.event.workspaceId, id: "1" };
  assert.equal((await keeping.publish([event], { delivery })).published, 1);
  assert.deepEqual(shown, [event.event.id], "and live streams have it");
  await assert.rejects(journal.append([event], delivery));
});

Deno.test("live streams have an event only when the journal has it: whoever has it can resume after it", async () => {
  using kv = await Deno.openKv(":memory:");
  const kept: string[] = [];
  const store = journalStore(kv, {
    sealer: await createSealer(new Uint8Array(32)),
    retention: { ageMs: 86_400_000, count: 1000 },
    dedupeWindowMs: 0,
    now: () => new Date(),
  });
  const journal: Journal = {
    ...store,
    async append(events) {
      await store.append(events);
      kept.push(...events.map(({ event }) => event.id));
    },
  };
  const exchange = embeddedExchange();
  const shown: { id: string; isKept: boolean }[] = [];
  await exchange.live.subscribe((events) => {
    for (const { event: { id } } of events) shown.push({ id, isKept: kept.includes(id) });
  });
  const event = someEvent();
  await journaling(exchange, { journal, accepted: undefined, live: exchange.live }).publish([event]);
  assert.deepEqual(shown, [{ id: event.event.id, isKept: true }]);
});
