import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import type { Journal, SerializedEvent } from "../deps.ts";
import { keys } from "./keys.ts";
import { Pruner } from "./pruner.ts";
import { Records, type Write } from "./records.ts";

/** How long events stay in the journal, and how many for each workspace. */
export interface JournalRetention {
  readonly ageMs: number;
  readonly count: number;
}

/** Events in one commit: Deno KV allows 100 checks and 800 KiB with overhead, and an event is two checks. */
const EVENTS_PER_COMMIT = 45;
const BYTES_PER_COMMIT = 400 * 1024;
/** Events read at a time. */
const PAGE = 200;

const entrySchema = z.object({ id: z.string(), json: z.string() });

interface Waiting {
  readonly entry: SerializedEvent;
  readonly done: PromiseWithResolvers<void>;
}

/**
 * The journal in Deno KV. What gathers while a commit is under way goes with the next one: the more deliveries at a time,
 * the fewer commits each costs.
 */
export function journalStore(kv: Deno.Kv, retention: JournalRetention): Journal {
  const records = new Records(kv);
  const pruner = new Pruner(kv, retention.count);
  let waiting: Waiting[] = [];
  let writing: Promise<void> | undefined;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = takeBatch();
      try {
        await write(batch.map(({ entry }) => entry));
        for (const { done } of batch) done.resolve();
      } catch (error) {
        for (const { done } of batch) done.reject(error);
      }
    }
    writing = undefined;
  }

  function takeBatch(): Waiting[] {
    let bytes = 0;
    const tooMany = waiting.findIndex(({ entry }, index) => {
      // A character can take three bytes, and a quote in it two more as it is stored.
      bytes += Math.min(entry.json.length * 4, BYTES_PER_COMMIT);
      return index === EVENTS_PER_COMMIT || (index > 0 && bytes > BYTES_PER_COMMIT);
    });
    const batch = tooMany < 0 ? waiting : waiting.slice(0, tooMany);
    waiting = waiting.slice(batch.length);
    return batch;
  }

  async function write(entries: readonly SerializedEvent[]): Promise<void> {
    const unique = [...new Map(entries.map((entry) => [entry.event.id, entry])).values()];
    const written = await commit(unique) ? unique : await commitNew(unique);
    const perWorkspace = Map.groupBy(written, ({ event }) => event.workspaceId);
    for (const [workspaceId, { length }] of perWorkspace) {
      await pruner.added(keys.journalOf(workspaceId), length, keysOf);
    }
  }

  /** Repeats are rare: only when there is one are the events looked up. */
  async function commitNew(entries: readonly SerializedEvent[]): Promise<SerializedEvent[]> {
    const written = [];
    for (const entry of entries) if (await commit([entry])) written.push(entry);
    return written;
  }

  async function commit(entries: readonly SerializedEvent[]): Promise<boolean> {
    const expiry = { expireInMs: retention.ageMs };
    const writes = entries.flatMap(({ event: { id, workspaceId }, json }): Write[] => {
      const position = uuidv7();
      return [
        { key: keys.journalPosition(workspaceId, id), value: position, expected: null, ...expiry },
        { key: keys.journal(workspaceId, position), value: { id, json }, expected: null, ...expiry },
      ];
    });
    return await records.commit(writes) !== undefined;
  }

  async function keysOf(entry: Deno.KvEntry<unknown>): Promise<Deno.KvKey[]> {
    const event = await records.read(entry, entrySchema);
    const taken = records.keysOf(entry);
    return event === undefined ? taken : [...taken, keys.journalPosition(String(entry.key[1]), event.id)];
  }

  async function positionOf(workspaceId: string, eventId: string): Promise<string | undefined> {
    return (await records.get(keys.journalPosition(workspaceId, eventId), z.string()))?.value;
  }

  return {
    async append(events) {
      if (events.length === 0) return;
      const added = events.map((entry) => ({ entry, done: Promise.withResolvers<void>() }));
      waiting.push(...added);
      writing ??= writeAll();
      await Promise.all(added.map(({ done }) => done.promise));
    },
    async settled() {
      await writing;
    },
    async has(workspaceId, eventId) {
      return await positionOf(workspaceId, eventId) !== undefined;
    },
    async *after(workspaceId, eventId) {
      let last = eventId && await positionOf(workspaceId, eventId);
      for (;;) {
        const start = last && keys.journal(workspaceId, `${last}\0`);
        const options = { limit: PAGE, ...(start && { start }) };
        const page = await records.list(keys.journalOf(workspaceId), entrySchema, options);
        for (const { value } of page) yield value;
        if (page.length < PAGE) return;
        last = String(page.at(-1)?.key.at(-1));
      }
    },
  };
}
