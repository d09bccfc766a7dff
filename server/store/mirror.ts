import { StoreError } from "../errors.ts";
import { keys } from "./keys.ts";
import { unlocked } from "./unlocked.ts";

/** Deno KV allows 1,000 mutations and 800 KiB with overhead in a commit. */
const MUTATIONS_PER_COMMIT = 500;
const BYTES_PER_COMMIT = 400 * 1024;
/** What a value counts for that is not bytes: all of those are small. */
const SMALL_BYTES = 256;
/** How often a store is read again that changed while it was read. */
const PASSES = 20;

/** What {@link mirrorStore} works with. */
export interface MirrorOptions {
  /** How long a record lives from now, in milliseconds; `undefined`: for good. */
  readonly lifetimeOf: (key: Deno.KvKey) => number | undefined;
  /** Called with the number of records copied so far. */
  readonly onCopied?: (records: number) => void;
}

/**
 * Makes `to` hold what `from` holds, and nothing else, through Deno KV's own interface. That has no snapshots: so `from` is
 * read again and again until nothing in it changes between two readings, and then the copy is what `from` was at one
 * moment in between. While it is under way, `to` says that it is not whole.
 *
 * @throws {StoreError} if `from` never stands still
 */
export async function mirrorStore(from: Deno.Kv, to: Deno.Kv, options: MirrorOptions): Promise<void> {
  await unlocked(() => to.set(keys.restoring(), true));
  const marker = idOf(keys.restoring());
  await empty(to, marker);
  const copied = new Map<string, { readonly key: Deno.KvKey; readonly version: string }>();
  let records = 0;
  for (let pass = 0; pass < PASSES; pass++) {
    const batch = new Batch(to);
    const present = new Set<string>();
    let changed = false;
    for await (const { key, value, versionstamp } of from.list({ prefix: [] })) {
      const id = idOf(key);
      if (id === marker) continue;
      present.add(id);
      if (copied.get(id)?.version === versionstamp) continue;
      copied.set(id, { key, version: versionstamp });
      changed = true;
      await batch.set(key, value, options.lifetimeOf(key));
      options.onCopied?.(++records);
    }
    for (const [id, { key }] of copied) {
      if (present.has(id)) continue;
      copied.delete(id);
      changed = true;
      await batch.delete(key);
    }
    await batch.commit();
    if (changed) continue;
    await unlocked(() => to.delete(keys.restoring()));
    return;
  }
  throw new StoreError(
    "Cannot copy the store: it changes all the time, and this kind of store gives no snapshots. Stop the service while it is " +
      "copied, or use the database's own backup",
  );
}

/** Keys here are of text and numbers. */
function idOf(key: Deno.KvKey): string {
  return JSON.stringify(key);
}

async function empty(kv: Deno.Kv, except: string): Promise<void> {
  const batch = new Batch(kv);
  for await (const { key } of kv.list({ prefix: [] })) if (idOf(key) !== except) await batch.delete(key);
  await batch.commit();
}

/** Gathers writes, and commits as many at once as Deno KV takes. */
class Batch {
  #atomic: Deno.AtomicOperation;
  #mutations = 0;
  #bytes = 0;

  constructor(private readonly kv: Deno.Kv) {
    this.#atomic = kv.atomic();
  }

  async set(key: Deno.KvKey, value: unknown, expireIn: number | undefined): Promise<void> {
    await this.#makeRoom(value instanceof Uint8Array ? value.length + SMALL_BYTES : SMALL_BYTES);
    this.#atomic.set(key, value, expireIn === undefined ? {} : { expireIn });
  }

  async delete(key: Deno.KvKey): Promise<void> {
    await this.#makeRoom(SMALL_BYTES);
    this.#atomic.delete(key);
  }

  async commit(): Promise<void> {
    const atomic = this.#atomic;
    if (this.#mutations > 0) await unlocked(() => atomic.commit());
    this.#atomic = this.kv.atomic();
    this.#mutations = 0;
    this.#bytes = 0;
  }

  async #makeRoom(bytes: number): Promise<void> {
    if (this.#mutations === MUTATIONS_PER_COMMIT || this.#bytes + bytes > BYTES_PER_COMMIT) await this.commit();
    this.#mutations++;
    this.#bytes += bytes;
  }
}
