import { setImmediate } from "node:timers";
import { Coalesced } from "./coalesced.ts";

/** Keys in one read: Deno KV allows ten. */
const KEYS_PER_READ = 10;
/** Reads at a time: what more are asked for go with the next. */
const READS_AT_A_TIME = 10;

/** Reads single keys, those of many callers together: what every delivery has to look up before it is accepted. */
export interface Reads {
  /**
   * The entry at `key` as it is now, or a moment later.
   *
   * @param ahead Keys that the caller asks for next, and without waiting for anything else: they are read along.
   */
  get(key: Deno.KvKey, ahead?: readonly Deno.KvKey[]): Promise<Deno.KvEntryMaybe<unknown>>;
  /** What this process has just written is not to be taken from what was read ahead. */
  written(key: Deno.KvKey): void;
}

interface Asked {
  readonly id: string;
  readonly key: Deno.KvKey;
  readonly isAhead: boolean;
}

/** Reads of a store that share their accesses. */
export function coalescedReads(kv: Deno.Kv): Reads {
  /** What was read ahead, for as long as the callers that had it read ahead are being called: it is as new as a read of its own. */
  const ahead = new Map<string, Deno.KvEntryMaybe<unknown>>();

  const reads = new Coalesced<Asked, Deno.KvEntryMaybe<unknown>>({
    fit: () => KEYS_PER_READ * READS_AT_A_TIME,
    async run(batch) {
      // Many ask for the same: each delivery of a workspace wants to know what its spool holds.
      const unique = [...new Map(batch.map((asked) => [asked.id, asked])).values()];
      const parts = Array.from({ length: Math.ceil(unique.length / KEYS_PER_READ) }, (_, part) => {
        const keys = unique.slice(part * KEYS_PER_READ, (part + 1) * KEYS_PER_READ).map(({ key }) => key);
        return kv.getMany<unknown[]>(keys);
      });
      const entries = (await Promise.all(parts)).flat();
      const found = new Map(unique.map(({ id }, index) => [id, entries[index]]));
      return batch.map(({ id, isAhead }) => {
        const entry = found.get(id);
        if (entry === undefined) throw new Error(`Deno KV gave no entry for ${id}`);
        if (isAhead) keepAhead(id, entry);
        return entry;
      });
    },
  });

  function keepAhead(id: string, entry: Deno.KvEntryMaybe<unknown>): void {
    // Those who wait for what was just read go on before this.
    if (ahead.size === 0) setImmediate(() => ahead.clear());
    ahead.set(id, entry);
  }

  return {
    async get(key, keysAhead = []) {
      const id = idOf(key);
      const known = ahead.get(id);
      if (known !== undefined) return known;
      const asked = reads.add({ id, key, isAhead: false });
      for (const next of keysAhead) reads.add({ id: idOf(next), key: next, isAhead: true }).catch(() => {});
      return await asked;
    },
    written: (key) => void ahead.delete(idOf(key)),
  };
}

/** The keys that are read here are of text. */
function idOf(key: Deno.KvKey): string {
  return JSON.stringify(key);
}
