import { getLogger } from "@logtape/logtape";
import { z } from "zod";
import type { Versioned } from "../deps.ts";
import { StoreError } from "../errors.ts";
import { v7 as uuidv7 } from "uuid";
import {
  chunkCount,
  type Chunked,
  chunkedSchema,
  chunkKeys,
  deleteChunks,
  INLINE_BYTES,
  readChunks,
  sweepChunks,
  writeChunks,
} from "./chunks.ts";
import { unlocked } from "./unlocked.ts";

const log = getLogger(["inlet", "store"]);

/** How often a reader starts again when a value is replaced while its chunks are read. */
const READ_ATTEMPTS = 10;

const storedSchema = z.union([z.instanceof(Uint8Array), chunkedSchema]);

/** One write of a commit. */
export interface Write {
  readonly key: Deno.KvKey;
  /** Any JSON-serializable value, of any size. */
  readonly value: unknown;
  /** The version that must still be stored, `null` for none; left out only for small values that are written blindly. */
  readonly expected?: string | null;
  /** When Deno KV may delete the record, in milliseconds from now; it does so some time after. */
  readonly expireInMs?: number;
}

/** A record that must still have a version for a commit to be made; `null`: that must not be there. */
export interface Check {
  readonly key: Deno.KvKey;
  readonly version: string | null;
}

/** Which records of a prefix to list. */
export interface ListOptions {
  /** How many at most; one that cannot be read does not count. */
  readonly limit?: number;
  /** Newest key first. */
  readonly reverse?: boolean;
  /** Only keys before this one. */
  readonly end?: Deno.KvKey;
  /** Only keys from this one on. */
  readonly start?: Deno.KvKey;
}

/** A record of a list. */
export type Found<T> = Versioned<T> & { readonly key: Deno.KvKey };

/**
 * Typed records in Deno KV: JSON values of any size, checked against a schema when they are read.
 *
 * A value beyond {@link INLINE_BYTES} lies in chunks of a generation of its own, named by the record's entry: a reader
 * sees the old value or the new one, never a mixture, whatever size they have and wherever a writer is killed.
 */
export class Records {
  constructor(private readonly kv: Deno.Kv) {}

  /** @throws {StoreError} as {@link open} does */
  async get<T>(key: Deno.KvKey, schema: z.ZodType<T>): Promise<Versioned<T> | undefined> {
    return await this.open(await this.kv.get(key), schema);
  }

  /** What {@link each} gives, at once. */
  async list<T>(prefix: Deno.KvKey, schema: z.ZodType<T>, options?: ListOptions): Promise<Found<T>[]> {
    return await Array.fromAsync(this.each(prefix, schema, options));
  }

  /** The records below `prefix`, in key order. One that cannot be read is logged and left out: it must not hide others. */
  async *each<T>(
    prefix: Deno.KvKey,
    schema: z.ZodType<T>,
    { start, end, limit = Infinity, reverse = false }: ListOptions = {},
  ): AsyncIterable<Found<T>> {
    const batchSize = Math.min(limit, 100);
    let given = 0;
    const selector = start !== undefined ? { prefix, start } : end !== undefined ? { prefix, end } : { prefix };
    for await (const entry of this.kv.list(selector, { batchSize, reverse })) {
      const record = await this.open(entry, schema).catch((error) => {
        if (!(error instanceof StoreError)) throw error;
        log.error("{reason}", { reason: error.message });
      });
      if (record === undefined) continue;
      yield { key: entry.key, ...record };
      if (++given === limit) return;
    }
  }

  /**
   * Writes all of `writes` or nothing, and with them what `also` adds to the commit. Gives the new version, or
   * `undefined` if an `expected` or a check did not hold.
   */
  async commit(
    writes: readonly Write[],
    checks: readonly Check[] = [],
    also: (atomic: Deno.AtomicOperation) => void = () => {},
  ): Promise<string | undefined> {
    const atomic = this.kv.atomic();
    for (const { key, version } of checks) atomic.check({ key, versionstamp: version });
    also(atomic);
    const written: { key: Deno.KvKey; chunked: Chunked }[] = [];
    const replaced: { key: Deno.KvKey; chunked: Chunked }[] = [];
    let version: string | undefined;
    try {
      for (const write of writes) {
        const old = await this.#replacedBy(write);
        if (old !== undefined) replaced.push({ key: write.key, chunked: old });
        await this.#add(atomic, write, (chunked) => written.push({ key: write.key, chunked }));
      }
      const result = await unlocked(() => atomic.commit());
      version = result.ok ? result.versionstamp : undefined;
    } finally {
      // Exactly what is not named any more: another writer's chunks, not yet named, lie beside it.
      for (const { key, chunked } of version === undefined ? written : replaced) {
        await this.#deleteUnnamed(key, chunked).catch(() => {});
      }
    }
    if (version !== undefined) {
      for (const { key, chunked } of written) {
        await sweepChunks(this.kv, key, chunked.generation, Date.now()).catch(() => {});
      }
    }
    return version;
  }

  /** A commit that failed may have been made all the same: of a database that is far away, its answer can be lost. */
  async #deleteUnnamed(key: Deno.KvKey, chunked: Chunked): Promise<void> {
    const named = chunkedSchema.safeParse((await this.kv.get(key)).value).data?.generation;
    if (named !== chunked.generation) await deleteChunks(this.kv, key, chunked);
  }

  /** The keys that a record takes: its own, and those of its chunks. */
  keysOf({ key, value }: Deno.KvEntryMaybe<unknown>): Deno.KvKey[] {
    const chunked = chunkedSchema.safeParse(value);
    return chunked.success ? [key, ...chunkKeys(key, chunked.data)] : [key];
  }

  /**
   * The record in an entry that was read already; `undefined` if there is none.
   *
   * @throws {StoreError} if it cannot be read
   */
  async open<T>(entry: Deno.KvEntryMaybe<unknown>, schema: z.ZodType<T>): Promise<Versioned<T> | undefined> {
    for (let attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
      if (entry.versionstamp === null) return undefined;
      const stored = storedSchema.safeParse(entry.value);
      if (!stored.success) throw unreadable(entry.key, "it is not in the store's format");
      const bytes = stored.data instanceof Uint8Array ? stored.data : await readChunks(this.kv, entry.key, stored.data);
      if (bytes !== undefined) return { value: decode(entry.key, bytes, schema), version: entry.versionstamp };
      entry = await this.kv.get(entry.key);
    }
    throw unreadable(entry.key, "its chunks are missing");
  }

  /** The record in an entry that was read already; `undefined` if there is none, or it cannot be read. */
  async read<T>(entry: Deno.KvEntryMaybe<unknown>, schema: z.ZodType<T>): Promise<T | undefined> {
    return (await this.open(entry, schema).catch(() => undefined))?.value;
  }

  /** Adds a write to a commit; says where its value is to lie if that is not in the commit itself, before it is written. */
  async #add(atomic: Deno.AtomicOperation, write: Write, onChunked: (chunked: Chunked) => void): Promise<void> {
    const expiry = write.expireInMs === undefined ? {} : { expireIn: write.expireInMs };
    if (write.expected !== undefined) atomic.check({ key: write.key, versionstamp: write.expected });
    const bytes = new TextEncoder().encode(JSON.stringify(write.value));
    if (bytes.length <= INLINE_BYTES) {
      atomic.set(write.key, bytes, expiry);
      return;
    }
    // Unchecked, it could replace a value whose chunks nobody would ever delete.
    if (write.expected === undefined) throw new StoreError("Cannot store a large value: its version is not given");
    const chunked = { generation: uuidv7(), chunks: chunkCount(bytes) };
    onChunked(chunked);
    await writeChunks(this.kv, write.key, chunked, bytes, expiry);
    atomic.set(write.key, chunked, expiry);
  }

  /** The chunks that a write replaces if it is committed. */
  async #replacedBy({ key, expected }: Write): Promise<Chunked | undefined> {
    if (typeof expected !== "string") return undefined;
    const { value, versionstamp } = await this.kv.get(key);
    const chunked = chunkedSchema.safeParse(value);
    return versionstamp === expected && chunked.success ? chunked.data : undefined;
  }
}

function decode<T>(key: Deno.KvKey, bytes: Uint8Array, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(jsonIn(key, bytes));
  if (!parsed.success) throw unreadable(key, z.prettifyError(parsed.error));
  return parsed.data;
}

function jsonIn(key: Deno.KvKey, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw unreadable(key, "it is not JSON");
  }
}

function unreadable(key: Deno.KvKey, why: string): StoreError {
  return new StoreError(`Cannot read ${JSON.stringify(key)} in the store: ${why}`);
}
