import { z } from "zod";
import type { Versioned } from "../deps.ts";
import { StoreError } from "../errors.ts";
import { keys } from "./keys.ts";

/** Largest value that is stored in one piece. Deno KV allows 64 KiB with its own overhead. */
const INLINE_BYTES = 60 * 1024;
/** Chunks in one commit: Deno KV allows 800 KiB with overhead; 8 x 60 KiB leaves room for the rest of the commit. */
const CHUNKS_PER_COMMIT = 8;
/** How often a reader starts again when a value is replaced while its chunks are read. */
const READ_ATTEMPTS = 10;

const chunkedSchema = z.object({ generation: z.string(), chunks: z.int().positive() });
type Chunked = z.output<typeof chunkedSchema>;
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

/** Which records of a prefix to list. */
export interface ListOptions {
  readonly limit?: number;
  /** Newest key first. */
  readonly reverse?: boolean;
  /** Only keys before this one. */
  readonly end?: Deno.KvKey;
}

/**
 * Typed records in Deno KV: JSON values of any size, checked against a schema when they are read.
 *
 * A value beyond {@link INLINE_BYTES} lies in chunks of a generation of its own, named by the record's entry: a reader
 * sees the old value or the new one, never a mixture, whatever size they have and wherever a writer is killed.
 */
export class Records {
  constructor(private readonly kv: Deno.Kv) {}

  /** @throws {StoreError} if what is stored does not fit `schema` */
  async get<T>(key: Deno.KvKey, schema: z.ZodType<T>): Promise<Versioned<T> | undefined> {
    return await this.#resolve(await this.kv.get(key), schema);
  }

  /** The records below `prefix`, in key order. */
  async list<T>(
    prefix: Deno.KvKey,
    schema: z.ZodType<T>,
    { end, ...options }: ListOptions = {},
  ): Promise<(Versioned<T> & { key: Deno.KvKey })[]> {
    const found = [];
    for await (const entry of this.kv.list(end === undefined ? { prefix } : { prefix, end }, options)) {
      const record = await this.#resolve(entry, schema);
      if (record !== undefined) found.push({ key: entry.key, ...record });
    }
    return found;
  }

  /** Writes all of `writes` or nothing. Gives the new version, or `undefined` if an `expected` did not hold. */
  async commit(writes: readonly Write[]): Promise<string | undefined> {
    const generation = crypto.randomUUID();
    const atomic = this.kv.atomic();
    const chunked: Write[] = [];
    try {
      for (const write of writes) {
        const expiry = write.expireInMs === undefined ? {} : { expireIn: write.expireInMs };
        if (write.expected !== undefined) atomic.check({ key: write.key, versionstamp: write.expected });
        const bytes = new TextEncoder().encode(JSON.stringify(write.value));
        if (bytes.length <= INLINE_BYTES) {
          atomic.set(write.key, bytes, expiry);
          continue;
        }
        // Unchecked, two writers could each clear away the other's chunks.
        if (write.expected === undefined) throw new StoreError("Cannot store a large value: its version is not given");
        chunked.push(write);
        const chunks = await this.#writeChunks(write.key, generation, bytes, expiry);
        atomic.set(write.key, { generation, chunks } satisfies Chunked, expiry);
      }
      const result = await atomic.commit();
      if (!result.ok) {
        await this.#clear(chunked, (found) => found === generation);
        return undefined;
      }
      await this.#clear(writes.filter((write) => write.expected), (found) => found !== generation);
      return result.versionstamp;
    } catch (error) {
      await this.#clear(chunked, (found) => found === generation).catch(() => {});
      throw error;
    }
  }

  /** Deletes a record, with its chunks. */
  async delete(key: Deno.KvKey): Promise<void> {
    await this.kv.delete(key);
    await this.#clear([{ key, value: null }], () => true);
  }

  async #writeChunks(
    key: Deno.KvKey,
    generation: string,
    bytes: Uint8Array,
    expiry: { expireIn?: number },
  ): Promise<number> {
    const chunks = Math.ceil(bytes.length / INLINE_BYTES);
    for (let first = 0; first < chunks; first += CHUNKS_PER_COMMIT) {
      const atomic = this.kv.atomic();
      for (let index = first; index < Math.min(first + CHUNKS_PER_COMMIT, chunks); index++) {
        atomic.set(
          keys.chunk(key, generation, index),
          bytes.subarray(index * INLINE_BYTES, (index + 1) * INLINE_BYTES),
          expiry,
        );
      }
      await atomic.commit();
    }
    return chunks;
  }

  /** Deletes the chunks of the generations that `which` names: of a failed commit, or all that a commit replaced. */
  async #clear(writes: readonly Write[], which: (generation: string) => boolean): Promise<void> {
    for (const { key } of writes) {
      for await (const entry of this.kv.list({ prefix: keys.chunksOf(key) })) {
        const [generation, index] = entry.key.slice(-2);
        // A longer record key shares this prefix; its chunks are not ours.
        if (entry.key.length !== key.length + 3 || typeof index !== "number") continue;
        if (which(String(generation))) await this.kv.delete(entry.key);
      }
    }
  }

  async #resolve<T>(entry: Deno.KvEntryMaybe<unknown>, schema: z.ZodType<T>): Promise<Versioned<T> | undefined> {
    for (let attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
      if (entry.versionstamp === null) return undefined;
      const stored = storedSchema.safeParse(entry.value);
      if (!stored.success) throw unreadable(entry.key, "it is not in the store's format");
      const bytes = stored.data instanceof Uint8Array ? stored.data : await this.#readChunks(entry.key, stored.data);
      if (bytes !== undefined) return { value: decode(entry.key, bytes, schema), version: entry.versionstamp };
      entry = await this.kv.get(entry.key);
    }
    throw unreadable(entry.key, "its chunks are missing");
  }

  /** `undefined` if a chunk is gone: the record was replaced meanwhile. */
  async #readChunks(key: Deno.KvKey, { generation, chunks }: Chunked): Promise<Uint8Array | undefined> {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    for (let index = 0; index < chunks; index++) {
      const { value } = await this.kv.get(keys.chunk(key, generation, index));
      if (!(value instanceof Uint8Array)) return undefined;
      parts.push(new Uint8Array(value));
    }
    return new Uint8Array(await new Blob(parts).arrayBuffer());
  }
}

function decode<T>(key: Deno.KvKey, bytes: Uint8Array, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
  if (!parsed.success) throw unreadable(key, z.prettifyError(parsed.error));
  return parsed.data;
}

function unreadable(key: Deno.KvKey, why: string): StoreError {
  return new StoreError(`Cannot read ${JSON.stringify(key)} in the store: ${why}`);
}
