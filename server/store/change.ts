import type { z } from "zod";
import { StoreError } from "../errors.ts";
import { Records } from "./records.ts";

/** What becomes of a record. */
export interface Changed {
  readonly value: unknown;
  /** For records that expire: how much longer they have, since writing a record begins that anew. */
  readonly expireInMs?: number;
}

/** Records between two calls of {@link Changing.goOn}. */
const BATCH = 500;
/** How often a record is tried again that somebody else wrote meanwhile. */
const ATTEMPTS = 20;

/** How {@link changeRecords} goes about it. */
export interface Changing<T> {
  /** Gives nothing for a record that is to stay, such as one that has the new form already. */
  change(value: T, key: Deno.KvKey): Promise<Changed | undefined> | Changed | undefined;
  /** Called now and then; what it throws ends the changes. */
  goOn?(): Promise<void>;
}

/**
 * Changes the records below `prefix` one by one, each in a commit that checks that nobody else did; gives how many.
 *
 * @throws {StoreError} if a record does not fit `schema`, which is to know the old form and the new one
 */
export async function changeRecords<T>(
  kv: Deno.Kv,
  prefix: Deno.KvKey,
  schema: z.ZodType<T>,
  { change, goOn }: Changing<T>,
): Promise<number> {
  const records = new Records(kv);
  let seen = 0;
  let changes = 0;
  for await (const { key } of kv.list({ prefix })) {
    if (++seen % BATCH === 0) await goOn?.();
    for (let attempt = 0;; attempt++) {
      const found = await records.get(key, schema);
      const changed = found && await change(found.value, key);
      if (found === undefined || changed === undefined) break;
      if (await records.commit([{ key, ...changed, expected: found.version }]) !== undefined) {
        changes++;
        break;
      }
      if (attempt === ATTEMPTS) throw new StoreError(`Cannot change ${JSON.stringify(key)}: others keep writing it`);
    }
  }
  return changes;
}
