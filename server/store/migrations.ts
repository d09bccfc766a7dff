import { z } from "zod";
import { StoreError } from "../errors.ts";
import { Records } from "./records.ts";

/**
 * A step from one schema of the store to the next. It may be cut off anywhere and run again, and two processes may run it
 * at once: it changes only what still has the old form.
 */
export interface Migration {
  /** What it does, for the log: "seal the cursors of pollers". */
  readonly what: string;
  /**
   * @param goOn To be called between batches; throws LeaseLostError when another process has taken over.
   */
  run(kv: Deno.Kv, goOn: () => Promise<void>): Promise<void>;
}

/**
 * The steps from schema 1 on, in order: the first makes 2 of 1. Never changed once released, only added to. A step is needed
 * where an older program's records cannot be read as they are; a field with a default needs none.
 */
export const MIGRATIONS: readonly Migration[] = [];

/** What becomes of a record. */
export interface Changed {
  readonly value: unknown;
  /** For records that expire: how much longer they have, since writing a record begins that anew. */
  readonly expireInMs?: number;
}

/** Records between two calls of `goOn`. */
const BATCH = 500;
/** How often a record is tried again that somebody else wrote meanwhile. */
const ATTEMPTS = 20;

/**
 * Changes the records below `prefix` one by one, each in a commit that checks that nobody else did.
 *
 * @param change Gives nothing for a record that has the new form already.
 * @throws {StoreError} if a record does not fit `schema`, which is to know the old form and the new one
 */
export async function changeRecords<T>(
  kv: Deno.Kv,
  prefix: Deno.KvKey,
  schema: z.ZodType<T>,
  { change, goOn }: {
    readonly change: (value: T, key: Deno.KvKey) => Changed | undefined;
    readonly goOn: () => Promise<void>;
  },
): Promise<void> {
  const records = new Records(kv);
  let seen = 0;
  for await (const { key } of kv.list({ prefix })) {
    if (++seen % BATCH === 0) await goOn();
    for (let attempt = 0;; attempt++) {
      const found = await records.get(key, schema);
      const changed = found && change(found.value, key);
      if (found === undefined || changed === undefined) break;
      if (await records.commit([{ key, ...changed, expected: found.version }]) !== undefined) break;
      if (attempt === ATTEMPTS) throw new StoreError(`Cannot change ${JSON.stringify(key)}: others keep writing it`);
    }
  }
}
