import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import type { Sealer, SerializedEvent, SpoolClaim, SpoolEntry, SpoolRest, Versioned } from "../deps.ts";
import { StoreError } from "../errors.ts";
import { keys } from "./keys.ts";
import { Records, type Write } from "./records.ts";
import {
  addSize,
  bytesOf,
  deadLetterContext,
  DELETES_PER_COMMIT,
  entryContext,
  entrySchema,
  sealEvents,
  type StoredEntry,
  unsealEvents,
} from "./spool_entries.ts";
import { unlocked } from "./unlocked.ts";

/** How long a process that says nothing keeps the right to empty the spool. */
const CLAIM_MS = 15_000;
/** How far the clocks of processes may be apart. A claim that is to last longer was made by a clock that was wrong. */
const CLOCKS_APART_MS = 60_000;
/** Entries that are read at a time, and bytes of events after which no further one is. */
const ENTRIES_PER_READ = 256;
const BYTES_PER_READ = 512 * 1024;
/** Entries that come from the store at once: 2 MiB at most. */
const ENTRIES_PER_BATCH = 32;
/** Deno KV allows 100 checks and 800 KiB in a commit: what is written anew of an entry is a check, and each dead letter. Sealed it takes a third more. */
const WRITES_PER_COMMIT = 90;
const BYTES_PER_COMMIT = 400 * 1024;

const claimSchema = z.object({ owner: z.string(), until: z.number() });

/** What {@link claimSpool} works with. */
export interface ClaimOptions {
  readonly sealer: Sealer;
  readonly now: () => Date;
  /** Names this process among those on the store. */
  readonly owner: string;
}

/**
 * Takes the right to empty the spool. Every write that uses it checks and renews it in the same commit, so that who has
 * lost it writes nothing.
 */
export async function claimSpool(kv: Deno.Kv, options: ClaimOptions): Promise<SpoolClaim | undefined> {
  const entry = await kv.get(keys.spoolClaim());
  // One that cannot be read is nobody's.
  const held = await new Records(kv).read(entry, claimSchema);
  const { owner, now } = options;
  const leftMs = held === undefined ? 0 : held.until - now().getTime();
  const isAnothers = held?.owner !== owner && leftMs > 0 && leftMs <= CLAIM_MS + CLOCKS_APART_MS;
  if (isAnothers) return undefined;
  const claim = new Claim(kv, options, entry.versionstamp);
  return await claim.renew() ? claim : undefined;
}

/** What is known of an entry that was read. */
interface Place {
  readonly version: string;
  /** All that the entry takes in the store. */
  readonly keys: readonly Deno.KvKey[];
  readonly bytes: number;
}

class Claim implements SpoolClaim {
  readonly #records: Records;
  readonly #places = new WeakMap<SpoolEntry, Place>();
  /** Dead letters of one millisecond stay in order. */
  #sequence = 0;

  constructor(
    private readonly kv: Deno.Kv,
    private readonly options: ClaimOptions,
    private version: string | null,
  ) {
    this.#records = new Records(kv);
  }

  async oldest(workspaceId: string): Promise<SpoolEntry[]> {
    const found: (() => Promise<SpoolEntry>)[] = [];
    let read = 0;
    const options = { limit: ENTRIES_PER_READ, batchSize: ENTRIES_PER_BATCH };
    for await (const stored of this.kv.list({ prefix: keys.spoolOf(workspaceId) }, options)) {
      if (read >= BYTES_PER_READ) break;
      const record = await this.#records.open(stored, entrySchema);
      if (record === undefined) throw new StoreError("Cannot read the spool: an entry went away while it was read");
      found.push(() => this.#open(workspaceId, stored, record));
      read += record.value.bytes;
    }
    // Not before all are read: one that fails while nobody waits for it would end the process.
    return await Promise.all(found.map((open) => open()));
  }

  async #open(
    workspaceId: string,
    stored: Deno.KvEntry<unknown>,
    { value, version }: Versioned<StoredEntry>,
  ): Promise<SpoolEntry> {
    const position = Number(stored.key.at(-1));
    const events = await unsealEvents(this.options.sealer, value, entryContext(workspaceId, position));
    const entry: SpoolEntry = { workspaceId, position, events };
    this.#places.set(entry, { version, keys: this.#records.keysOf(stored), bytes: value.bytes });
    return entry;
  }

  async settle(rests: readonly SpoolRest[]): Promise<boolean> {
    for (const part of partsOf(rests)) if (!await this.#settle(part)) return false;
    return true;
  }

  async #settle(rests: readonly SpoolRest[]): Promise<boolean> {
    const writes: Write[] = [];
    const deletes: Deno.KvKey[] = [];
    const changes = new Map<string, { events: number; bytes: number; deadLetters: number }>();
    for (const { entry, left, dead } of rests) {
      const place = this.#places.get(entry);
      if (place === undefined) throw new StoreError("Cannot settle an entry of the spool: it was not read here");
      const before = changes.get(entry.workspaceId) ?? { events: 0, bytes: 0, deadLetters: 0 };
      changes.set(entry.workspaceId, {
        events: before.events + left.length - entry.events.length,
        // Dead letters count on.
        bytes: before.bytes + bytesOf(left) + bytesOf(dead.map(({ event }) => event)) - place.bytes,
        deadLetters: before.deadLetters + dead.length,
      });
      if (left.length === 0) deletes.push(...place.keys);
      else writes.push(await this.#rewrite(entry, left, place));
      for (const { event, reason } of dead) writes.push(await this.#setAside(event, reason));
    }
    const late = deletes.splice(DELETES_PER_COMMIT);
    const settled = await this.#commit(writes, (atomic) => {
      for (const key of deletes) atomic.delete(key);
      for (const [workspaceId, change] of changes) addSize(atomic, workspaceId, change);
    });
    if (settled) { for (const key of late) await unlocked(() => this.kv.delete(key)); }
    return settled;
  }

  async renew(): Promise<boolean> {
    return await this.#commit([]);
  }

  async release(): Promise<void> {
    const key = keys.spoolClaim();
    const atomic = this.kv.atomic().check({ key, versionstamp: this.version }).delete(key);
    await unlocked(() => atomic.commit());
  }

  async #rewrite(
    { workspaceId, position }: SpoolEntry,
    left: readonly SerializedEvent[],
    { version }: Place,
  ): Promise<Write> {
    const value = await sealEvents(this.options.sealer, left, entryContext(workspaceId, position));
    return { key: keys.spoolEntry(workspaceId, position), value, expected: version };
  }

  async #setAside(event: SerializedEvent, reason: string): Promise<Write> {
    const { workspaceId, id: eventId, type } = event.event;
    const at = this.options.now();
    const id = uuidv7({ msecs: at.getTime(), seq: this.#sequence++ });
    const { bytes, sealed } = await sealEvents(this.options.sealer, [event], deadLetterContext(workspaceId, id));
    const value = { id, workspaceId, eventId, type, reason, at, bytes, sealed };
    return { key: keys.deadLetter(workspaceId, id), value, expected: null };
  }

  async #commit(writes: readonly Write[], also?: (atomic: Deno.AtomicOperation) => void): Promise<boolean> {
    const value = { owner: this.options.owner, until: this.options.now().getTime() + CLAIM_MS };
    const renewal: Write = { key: keys.spoolClaim(), value, expected: this.version };
    const version = await this.#records.commit([renewal, ...writes], [], also);
    if (version === undefined) return false;
    this.version = version;
    return true;
  }
}

/** What goes into one commit each: what is done with costs little, what has to be written more. */
function* partsOf(rests: readonly SpoolRest[]): Iterable<SpoolRest[]> {
  let part: SpoolRest[] = [];
  let [writes, bytes] = [0, 0];
  for (const rest of rests) {
    const written = [...rest.left, ...rest.dead.map(({ event }) => event)];
    const [moreWrites, moreBytes] = [Math.min(rest.left.length, 1) + rest.dead.length, bytesOf(written)];
    if (part.length > 0 && (writes + moreWrites > WRITES_PER_COMMIT || bytes + moreBytes > BYTES_PER_COMMIT)) {
      yield part;
      part = [];
      [writes, bytes] = [0, 0];
    }
    part.push(rest);
    writes += moreWrites;
    bytes += moreBytes;
  }
  if (part.length > 0) yield part;
}
