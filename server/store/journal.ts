import type { NormalizedEvent } from "@inlet/events-core";
import { z } from "zod";
import type { DeliveryKey, Journal, Sealer, SerializedEvent } from "../deps.ts";
import { addAccepted } from "./accepted.ts";
import { Coalesced, howManyFit } from "./coalesced.ts";
import { bundleContext, bundleSchema, bundlesOf, sealBundle, unsealBundle } from "./journal_bundle.ts";
import { followOthers, newsOf, type PlacedBundle } from "./journal_follow.ts";
import { beforeAllAt, ofNoProcess, Positions, processOf } from "./journal_position.ts";
import { keys } from "./keys.ts";
import { Pruner } from "./pruner.ts";
import { Records, type Write } from "./records.ts";
import { type Resealing, resealRecords } from "./sealed.ts";
import { timeOf } from "./uuid_time.ts";

/** How long events stay in the journal, and how many for each workspace. */
export interface JournalRetention {
  readonly ageMs: number;
  readonly count: number;
}

/** What {@link journalStore} works with. */
export interface JournalOptions {
  readonly sealer: Sealer;
  readonly retention: JournalRetention;
  /** How long deliveries that are stored with their events are known as accepted; `0`: they are not recorded. */
  readonly dedupeWindowMs: number;
  readonly now: () => Date;
}

interface Append {
  readonly entry: SerializedEvent;
  /** The delivery that ends with this event. */
  readonly delivery: DeliveryKey | undefined;
}

/**
 * What goes into one commit: Deno KV allows 100 checks, 1,000 mutations and 800 KiB with overhead. Each event is a check,
 * and each bundle, of which every workspace has one at least.
 */
const EVENTS_PER_COMMIT = 50;
const BYTES_PER_COMMIT = 400 * 1024;
/** What has to be known of a bundle to delete it: to check all of it takes longer. */
const idsSchema = bundleSchema.pick({ ids: true });
/** Bundles read at a time. */
const PAGE = 16;
/**
 * How far back a stream resumes in what other processes wrote: their clocks differ (by 5 s at
 * most), and what they confirm reaches a stream up to 5 s later than the journal, by the look that is made so often.
 */
const CLOCKS_APART_MS = 10_000;

/**
 * The journal in Deno KV. What gathers while a commit is under way goes with the next one, and the events of a workspace
 * are sealed together then: the more deliveries at a time, the less each costs.
 */
export function journalStore(kv: Deno.Kv, options: JournalOptions): Journal & Resealing {
  const { sealer, retention, dedupeWindowMs, now } = options;
  const records = new Records(kv);
  const positions = new Positions(now);
  const pruner = new Pruner(kv, {
    most: retention.count,
    ageMs: retention.ageMs,
    weightOf: ({ key }) => Number(key[3]),
    writtenAt: ({ key }) => timeOf(String(key[2])),
    keysOf,
    now,
  });
  const writes = new Coalesced<Append, void>({
    // A character can take three bytes.
    fit: (waiting) => {
      const sizes = waiting.slice(0, EVENTS_PER_COMMIT + 1).map(({ entry }) => entry.json.length * 3);
      return howManyFit(sizes, EVENTS_PER_COMMIT, BYTES_PER_COMMIT);
    },
    run: async (batch) => {
      await write(batch);
      return batch.map(() => undefined);
    },
  });

  let isBehindAll = false;

  async function write(batch: readonly Append[]): Promise<void> {
    // The clock may have been set back since an earlier process wrote: whoever resumes after that one's events gets these.
    if (!isBehindAll) { for (const place of await newestOf(keys.journalWriters())) positions.goBehind(place); }
    isBehindAll = true;
    const deliveries = batch.flatMap(({ delivery }) => delivery ?? []);
    const unique = [...new Map(batch.map(({ entry }) => [entry.event.id, entry])).values()];
    const written = await commit(unique, deliveries) ? unique : await commitNew(unique, deliveries);
    const perWorkspace = Map.groupBy(written, ({ event }) => event.workspaceId);
    for (const [workspaceId, { length }] of perWorkspace) pruner.added(keys.journalOf(workspaceId), length);
  }

  /** Repeats are rare: only when there is one are the events looked up. */
  async function commitNew(
    entries: readonly SerializedEvent[],
    deliveries: readonly DeliveryKey[],
  ): Promise<SerializedEvent[]> {
    const written = [];
    for (const entry of entries) {
      if (await commit([entry], [])) written.push(entry);
      else await sharePlace(entry.event);
    }
    // Last: what is recognized as a repeat, and so not published again, is to be here.
    await commit([], deliveries);
    return written;
  }

  /**
   * Of two processes that published one event, a stream can have it from the one, and not yet what the other published
   * before it: whoever resumes after it begins earlier in what both wrote.
   */
  async function sharePlace({ workspaceId, id }: NormalizedEvent): Promise<void> {
    const key = keys.journalPosition(workspaceId, id);
    const found = await records.get(key, z.string());
    if (found === undefined || processOf(found.value) === positions.process) return;
    const { value: place, version: expected } = found;
    await records.commit([{ key, value: ofNoProcess(place), expected, expireInMs: leftMs(place) }]);
  }

  /** How long what stands at a place is still kept. */
  function leftMs(position: string): number {
    // Places can be ahead of the clock.
    return Math.min(retention.ageMs, Math.max(1, timeOf(position) + retention.ageMs - now().getTime()));
  }

  async function commit(entries: readonly SerializedEvent[], deliveries: readonly DeliveryKey[]): Promise<boolean> {
    const bundles: Promise<Write[]>[] = [];
    const writers: Write[] = [];
    for (const [workspaceId, events] of Map.groupBy(entries, ({ event }) => event.workspaceId)) {
      for (const bundle of bundlesOf(events)) bundles.push(writesOf(workspaceId, bundle));
      const newest = positions.next();
      const key = keys.journalWriter(workspaceId, processOf(newest));
      writers.push({ key, value: newest, expireInMs: retention.ageMs });
    }
    const writes = [...(await Promise.all(bundles)).flat(), ...writers];
    const version = await records.commit(writes, [], (atomic) => {
      if (dedupeWindowMs === 0) return;
      for (const delivery of deliveries) addAccepted(atomic, delivery, { windowMs: dedupeWindowMs, now });
    });
    return version !== undefined;
  }

  async function writesOf(workspaceId: string, bundle: readonly SerializedEvent[]): Promise<Write[]> {
    const expiry = { expected: null, expireInMs: retention.ageMs };
    const position = positions.next();
    const value = await sealBundle(sealer, bundle, bundleContext(workspaceId, position));
    return [
      { key: keys.journal(workspaceId, position, bundle.length), value, ...expiry },
      ...bundle.map(({ event: { id } }) => {
        return { key: keys.journalPosition(workspaceId, id), value: position, ...expiry };
      }),
    ];
  }

  async function keysOf(entry: Deno.KvEntry<unknown>): Promise<Deno.KvKey[]> {
    const { ids = [] } = await records.read(entry, idsSchema) ?? {};
    return [...records.keysOf(entry), ...ids.map((id) => keys.journalPosition(String(entry.key[1]), id))];
  }

  async function positionOf(workspaceId: string, eventId: string): Promise<string | undefined> {
    return (await records.get(keys.journalPosition(workspaceId, eventId), z.string()))?.value;
  }

  /**
   * The bundles that stand behind `start`, in order; all of them if it is empty. They are read as they are asked for. `last`
   * is one before them that was read.
   */
  async function* bundlesFrom(workspaceId: string, start: string, last?: Deno.KvKey): AsyncIterable<PlacedBundle> {
    for (let from = start;;) {
      const options = { limit: PAGE, ...(from && { start: [...keys.journalOf(workspaceId), from] }) };
      const page = await records.list(keys.journalOf(workspaceId), bundleSchema, options);
      // The oldest go first: while the last one is there, nothing behind it has gone.
      let afterGap = last !== undefined && (await kv.get(last)).versionstamp === null;
      for (const { key, value } of page) {
        yield { key, position: String(key[2]), value, afterGap };
        afterGap = false;
      }
      last = page.at(-1)?.key;
      if (page.length < PAGE) return;
      from = `${String(last?.[2])}\0`;
    }
  }

  /** The newest places that processes have written, of the writers under a prefix. */
  async function newestOf(writers: Deno.KvKey): Promise<string[]> {
    return (await records.list(writers, z.string())).map(({ value }) => value);
  }

  return {
    async append(events, delivery) {
      const last = events.length - 1;
      await Promise.all(events.map((entry, index) => {
        return writes.add({ entry, delivery: index === last ? delivery : undefined });
      }));
    },
    idle: () => pruner.idle(),
    async has(workspaceId, eventId) {
      return await positionOf(workspaceId, eventId) !== undefined;
    },
    async *after(workspaceId, eventId) {
      const from = eventId === undefined ? undefined : await positionOf(workspaceId, eventId);
      const news = newsOf({
        since: from === undefined ? "" : beforeAllAt(timeOf(from) - CLOCKS_APART_MS),
        // The events of one process are in one order everywhere: who has this one has those before its bundle.
        readTo: new Map(from === undefined ? [] : [[processOf(from), from.slice(0, -1)]]),
        newest: () => newestOf(keys.journalWritersOf(workspaceId)),
        bundlesFrom: (start, last) => bundlesFrom(workspaceId, start, last),
      });
      let missing = false;
      // What comes while the last few are read is for whoever listens.
      for (let read = PAGE; read >= PAGE;) {
        read = 0;
        for await (const { position, value, afterGap } of news()) {
          read++;
          missing ||= afterGap;
          const events = await unsealBundle(sealer, value, bundleContext(workspaceId, position));
          for (const event of position === from && eventId ? events.slice(value.ids.indexOf(eventId) + 1) : events) {
            yield { ...event, afterGap: missing };
            missing = false;
          }
        }
      }
    },
    async follow(workspaceId) {
      return await followOthers({
        since: beforeAllAt(now().getTime() - CLOCKS_APART_MS),
        newest: async () => {
          const newest = await newestOf(keys.journalWritersOf(workspaceId));
          return newest.filter((position) => processOf(position) !== positions.process);
        },
        bundlesFrom: (start, last) => bundlesFrom(workspaceId, start, last),
        unseal: (position, bundle) => unsealBundle(sealer, bundle, bundleContext(workspaceId, position)),
      });
    },
    reseal: (leaveOut) =>
      resealRecords(kv, keys.journals(), bundleSchema, {
        sealer,
        leaveOut,
        contextOf: (_, key) => bundleContext(String(key[1]), String(key[2])),
        leftMs: (key) => leftMs(String(key[2])),
      }),
  };
}
