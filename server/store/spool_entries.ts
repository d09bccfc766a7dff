import { normalizedEventSchema } from "@inlet/events-core";
import { Buffer } from "node:buffer";
import { z } from "zod";
import type { Sealer, SerializedEvent, SpoolState } from "../deps.ts";
import { keys } from "./keys.ts";
import { sealJson, unsealJson } from "./sealed.ts";

/** What an entry of the spool says in the clear. */
export const entrySchema = z.object({
  events: z.int().positive(),
  /** Of the events as JSON. */
  bytes: z.int(),
  /** The events, sealed together. */
  sealed: z.base64(),
});

/** An entry of the spool as it is stored. */
export type StoredEntry = z.output<typeof entrySchema>;

/**
 * Chunks that are deleted in the commit that takes an entry or a dead letter out; those beyond go right after it, and what a
 * killed process leaves of them is swept. Deno KV allows 1,000 mutations and 80 KiB of keys in a commit: what a chunk lies
 * under takes up to 150 bytes.
 */
export const DELETES_PER_COMMIT = 500;

/** Bytes of events as JSON. */
export function bytesOf(events: readonly SerializedEvent[]): number {
  return events.reduce((sum, { json }) => sum + Buffer.byteLength(json), 0);
}

/** Seals events for the place that `context` names. */
export async function sealEvents(
  sealer: Sealer,
  events: readonly SerializedEvent[],
  context: string,
): Promise<StoredEntry> {
  const lines = events.map((event) => ({ ...event, json: lineOf(event) }));
  return { events: events.length, bytes: bytesOf(events), sealed: await sealJson(sealer, lines, context) };
}

/**
 * Opens what {@link sealEvents} sealed.
 *
 * @throws {EncryptionKeyError} if it was sealed with another key or for another place
 */
export async function unsealEvents(
  sealer: Sealer,
  { sealed }: Pick<StoredEntry, "sealed">,
  context: string,
): Promise<SerializedEvent[]> {
  return (await unsealJson(sealer, sealed, context)).map((line) => {
    const [, traceparent, json = ""] = LINE.exec(line) ?? [];
    const event = normalizedEventSchema.parse(JSON.parse(json));
    return traceparent === undefined ? { event, json } : { event, json, traceparent };
  });
}

/** An event's JSON, which begins with a brace, after its trace if it has one. */
const LINE = /^(?:([0-9a-f-]+) )?(.*)$/s;

function lineOf({ json, traceparent }: SerializedEvent): string {
  return traceparent === undefined ? json : `${traceparent} ${json}`;
}

/** What an entry of the spool is sealed for. */
export function entryContext(workspaceId: string, position: number): string {
  return `spool/${workspaceId}/${position}`;
}

/** What a dead letter is sealed for. */
export function deadLetterContext(workspaceId: string, id: string): string {
  return `dead-letter/${workspaceId}/${id}`;
}

/**
 * The first place behind all entries of a workspace. Microseconds since the epoch where that is behind, so that a clock
 * that is set back puts nothing before what is there.
 */
export async function nextPosition(kv: Deno.Kv, workspaceId: string, now: Date): Promise<number> {
  let last = 0;
  for await (const { key } of kv.list({ prefix: keys.spoolOf(workspaceId) }, { limit: 1, reverse: true })) {
    last = Number(key.at(-1));
  }
  return Math.max(last + 1, now.getTime() * 1000);
}

/** The workspaces with entries, each with the place of its first: reads one entry of each. */
export async function firstPositions(kv: Deno.Kv): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  let start = keys.spoolOf("");
  for (;;) {
    const { value: entry } = await kv.list({ prefix: keys.spool(), start }, { limit: 1 }).next();
    if (entry === undefined) return found;
    const workspaceId = String(entry.key[1]);
    found.set(workspaceId, Number(entry.key[2]));
    // Nothing lies between a string and the same with a NUL.
    start = keys.spoolOf(`${workspaceId}\0`);
  }
}

/** What is counted of the spool, or by how much that changes. */
export type Size = Pick<SpoolState, "events" | "bytes" | "deadLetters">;

const COUNTERS = ["events", "bytes", "deadLetters"] as const;

/** How much the spool holds, of all workspaces. */
export async function readSize(kv: Deno.Kv): Promise<Size> {
  const size = { events: 0, bytes: 0, deadLetters: 0 };
  for await (const entry of kv.list({ prefix: keys.spoolSizes() })) {
    const counter = COUNTERS.find((counter) => counter === entry.key.at(-1));
    if (counter !== undefined) size[counter] += countOf(entry);
  }
  return size;
}

/** What a counter of the spool says. */
export function countOf({ value }: Deno.KvEntryMaybe<unknown>): number {
  if (!(value instanceof Deno.KvU64)) return 0;
  // Below zero is what is left of a workspace that was removed while its events were published.
  return Math.max(0, Number(BigInt.asIntN(64, value.value)));
}

/** Adds to a commit how much more, or less, of a workspace the spool holds by it. */
export function addSize(atomic: Deno.AtomicOperation, workspaceId: string, change: Size): void {
  for (const counter of COUNTERS) {
    if (change[counter] === 0) continue;
    // Sums wrap around at 2^64: so a negative number is subtracted.
    const value = new Deno.KvU64(BigInt.asUintN(64, BigInt(change[counter])));
    atomic.mutate({ type: "sum", key: keys.spoolSize(workspaceId, counter), value });
  }
}

/** How much these events are, together. */
export function sizeOf(events: readonly SerializedEvent[]): Size {
  return { events: events.length, bytes: bytesOf(events), deadLetters: 0 };
}
