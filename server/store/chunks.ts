import { z } from "zod";
import { keys } from "./keys.ts";
import { unlocked } from "./unlocked.ts";
import { timeOf } from "./uuid_time.ts";

/** Largest value that is stored in one piece. Deno KV allows 64 KiB with its own overhead. */
export const INLINE_BYTES = 60 * 1024;
/** Chunks in one commit: Deno KV allows 800 KiB with overhead; 8 x 60 KiB leaves room. */
const CHUNKS_PER_COMMIT = 8;
/** A writer that has not committed in this time is gone, and what it left can go. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000;

/** What a record's entry says where its value lies in chunks. */
export const chunkedSchema = z.object({ generation: z.uuid(), chunks: z.int().positive() });

/** What a record's entry says where its value lies in chunks. */
export type Chunked = z.output<typeof chunkedSchema>;

/** In how many chunks `bytes` are written. */
export function chunkCount(bytes: Uint8Array): number {
  return Math.ceil(bytes.length / INLINE_BYTES);
}

/** Writes `bytes` in chunks of a generation: a UUIDv7, which tells when it was begun. */
export async function writeChunks(
  kv: Deno.Kv,
  key: Deno.KvKey,
  { generation, chunks }: Chunked,
  bytes: Uint8Array,
  expiry: { expireIn?: number },
): Promise<void> {
  for (let first = 0; first < chunks; first += CHUNKS_PER_COMMIT) {
    const atomic = kv.atomic();
    for (let index = first; index < Math.min(first + CHUNKS_PER_COMMIT, chunks); index++) {
      const chunk = bytes.subarray(index * INLINE_BYTES, (index + 1) * INLINE_BYTES);
      atomic.set(keys.chunk(key, generation, index), chunk, expiry);
    }
    await unlocked(() => atomic.commit());
  }
}

/** `undefined` if a chunk is gone: the record was replaced meanwhile. */
export async function readChunks(
  kv: Deno.Kv,
  key: Deno.KvKey,
  { generation, chunks }: Chunked,
): Promise<Uint8Array | undefined> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let index = 0; index < chunks; index++) {
    const { value } = await kv.get(keys.chunk(key, generation, index));
    if (!(value instanceof Uint8Array)) return undefined;
    parts.push(new Uint8Array(value));
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** Deletes the chunks of one generation, which no record names any more or has named yet. */
export async function deleteChunks(kv: Deno.Kv, key: Deno.KvKey, chunked: Chunked): Promise<void> {
  for (const chunkKey of chunkKeys(key, chunked)) await unlocked(() => kv.delete(chunkKey));
}

/** Where the chunks of one generation lie. */
export function chunkKeys(key: Deno.KvKey, { generation, chunks }: Chunked): Deno.KvKey[] {
  return Array.from({ length: chunks }, (_, index) => keys.chunk(key, generation, index));
}

/**
 * Deletes the chunks that writers who were killed have left at `key`. Those of a writer who is still at work stay: its
 * commit may yet name them.
 */
export async function sweepChunks(
  kv: Deno.Kv,
  key: Deno.KvKey,
  current: string | undefined,
  nowMs: number,
): Promise<void> {
  for await (const entry of kv.list({ prefix: keys.chunksOf(key) })) {
    // A longer record key shares this prefix; its chunks are not ours.
    if (entry.key.length !== key.length + 3) continue;
    const generation = String(entry.key.at(-2));
    if (generation === current || nowMs - timeOf(generation) <= ABANDONED_AFTER_MS) continue;
    await unlocked(() => kv.delete(entry.key));
  }
}

/**
 * {@link sweepChunks} for all records below `prefix`, whether they are there or not. Of those that are, one chunk of each
 * is read.
 */
export async function sweepChunksBelow(kv: Deno.Kv, prefix: Deno.KvKey, nowMs: number): Promise<void> {
  for (let start = keys.chunksOf([...prefix, ""]);;) {
    const { value: chunk } = await kv.list({ prefix: keys.chunksOf(prefix), start }, { limit: 1 }).next();
    if (chunk === undefined) return;
    const key = chunk.key.slice(1, -2);
    const generation = String(chunk.key.at(-2));
    const current = chunkedSchema.safeParse((await kv.get(key)).value).data?.generation;
    if (generation !== current) await sweepChunks(kv, key, current, nowMs);
    // Nothing lies between a string and the same with a NUL.
    start = [...chunk.key.slice(0, -2), `${generation}\0`];
  }
}
