import { z } from "zod";
import type { DeadLetters, Sealer, Versioned } from "../deps.ts";
import { keys } from "./keys.ts";
import { Records, type Write } from "./records.ts";
import { type Resealing, resealRecords } from "./sealed.ts";
import {
  addSize,
  countOf,
  deadLetterContext,
  DELETES_PER_COMMIT,
  entryContext,
  nextPosition,
  sealEvents,
  type Size,
  unsealEvents,
} from "./spool_entries.ts";
import { timeSchema } from "./time.ts";
import { unlocked } from "./unlocked.ts";

const letterSchema = z.object({
  id: z.uuid(),
  workspaceId: z.uuid(),
  eventId: z.string(),
  type: z.string(),
  reason: z.string(),
  at: timeSchema,
  bytes: z.int(),
  sealed: z.base64(),
});

interface FoundLetter {
  readonly letter: Versioned<z.output<typeof letterSchema>>;
  /** All that it takes in the store, its own key first. */
  readonly taken: readonly Deno.KvKey[];
}

/** The dead letters in Deno KV, each event sealed and bound to its place. */
export function deadLetterStore(
  kv: Deno.Kv,
  { sealer, now }: { sealer: Sealer; now: () => Date },
): DeadLetters & Resealing {
  const records = new Records(kv);

  async function find(workspaceId: string, id: string): Promise<FoundLetter | undefined> {
    const key = keys.deadLetter(workspaceId, id);
    const letter = await records.get(key, letterSchema);
    return letter && { letter, taken: records.keysOf(await kv.get(key)) };
  }

  /** Takes a dead letter out, in one commit with `writes`; `false` if somebody took it, or their places, before. */
  async function takeOut(
    { letter: { value: { workspaceId, id }, version }, taken }: FoundLetter,
    writes: readonly Write[],
    change: Size,
  ): Promise<boolean> {
    const committed = await records.commit(writes, [{ key: keys.deadLetter(workspaceId, id), version }], (atomic) => {
      for (const key of taken.slice(0, DELETES_PER_COMMIT)) atomic.delete(key);
      addSize(atomic, workspaceId, change);
    });
    if (committed === undefined) return false;
    for (const key of taken.slice(DELETES_PER_COMMIT)) await unlocked(() => kv.delete(key)).catch(() => {});
    return true;
  }

  return {
    async list(workspaceId, { limit, before }) {
      const end = before === undefined ? {} : { end: keys.deadLetter(workspaceId, before) };
      const options = { limit, reverse: true, ...end };
      const found = await records.list(keys.deadLettersOf(workspaceId), letterSchema, options);
      return found.map(({ value: { sealed: _, ...letter } }) => letter);
    },
    async count(workspaceId) {
      return countOf(await kv.get(keys.spoolSize(workspaceId, "deadLetters")));
    },
    async oldest(workspaceId, { limit, upTo }) {
      const prefix = keys.deadLettersOf(workspaceId);
      // Nothing lies between a string and the same with a NUL.
      const selector = upTo === undefined ? { prefix } : { prefix, end: keys.deadLetter(workspaceId, `${upTo}\0`) };
      return await Array.fromAsync(kv.list(selector, { limit }), ({ key }) => String(key.at(-1)));
    },
    async retry(workspaceId, id) {
      const found = await find(workspaceId, id);
      if (found === undefined) return false;
      const events = await unsealEvents(sealer, found.letter.value, deadLetterContext(workspaceId, id));
      const position = await nextPosition(kv, workspaceId, now());
      const value = await sealEvents(sealer, events, entryContext(workspaceId, position));
      const entry = { key: keys.spoolEntry(workspaceId, position), value, expected: null };
      // If somebody took the same place, or the dead letter, the next look tells.
      return await takeOut(found, [entry], { events: 1, bytes: 0, deadLetters: -1 }) ||
        await this.retry(workspaceId, id);
    },
    reseal: (leaveOut) =>
      resealRecords(kv, keys.deadLetters(), letterSchema, {
        sealer,
        leaveOut,
        contextOf: ({ workspaceId, id }) => deadLetterContext(workspaceId, id),
      }),
    async discard(workspaceId, id) {
      const found = await find(workspaceId, id);
      if (found === undefined) return false;
      return await takeOut(found, [], { events: 0, bytes: -found.letter.value.bytes, deadLetters: -1 }) ||
        await this.discard(workspaceId, id);
    },
  };
}
