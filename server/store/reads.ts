import { Coalesced } from "./coalesced.ts";

/** Keys in one read: Deno KV allows ten. */
const KEYS_PER_READ = 10;
/** Reads at a time: what more are asked for go with the next. */
const READS_AT_A_TIME = 10;

/** Reads single keys, those of many callers together: what every delivery has to look up before it is accepted. */
export interface Reads {
  /** The entry at `key` as it is now, or a moment later. */
  get(key: Deno.KvKey): Promise<Deno.KvEntryMaybe<unknown>>;
}

/** Reads of a store that share their accesses. */
export function coalescedReads(kv: Deno.Kv): Reads {
  const reads = new Coalesced<Deno.KvKey, Deno.KvEntryMaybe<unknown>>({
    fit: () => KEYS_PER_READ * READS_AT_A_TIME,
    async run(keys) {
      const parts = Array.from({ length: Math.ceil(keys.length / KEYS_PER_READ) }, (_, part) => {
        return kv.getMany<unknown[]>(keys.slice(part * KEYS_PER_READ, (part + 1) * KEYS_PER_READ));
      });
      return (await Promise.all(parts)).flat();
    },
  });
  return { get: (key) => reads.add(key) };
}
