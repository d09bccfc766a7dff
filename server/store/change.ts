import type { z } from "zod";
import { EncryptionKeyError, StoreError } from "../errors.ts";
import { Records, type Write } from "./records.ts";

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

/** Told of a record that stays as it is, since it cannot be read. */
export type LeaveOut = (error: StoreError) => void;

/** How {@link changeRecords} goes about it. */
export interface Changing<T> {
  /** Gives nothing for a record that is to stay, such as one that has the new form already. */
  change(value: T, key: Deno.KvKey): Promise<Changed | undefined> | Changed | undefined;
  /** Called now and then; what it throws ends the changes. */
  goOn?(): Promise<void>;
  /** Without it, the first record that cannot be read ends the changes. */
  readonly leaveOut?: LeaveOut | undefined;
}

/**
 * Changes the records below `prefix` one by one, each in a commit that checks that nobody else did; gives how many.
 *
 * @throws {StoreError} if a record cannot be read: it does not fit `schema`, which is to know the old form and the new one, or
 * cannot be unsealed
 */
export async function changeRecords<T>(
  kv: Deno.Kv,
  prefix: Deno.KvKey,
  schema: z.ZodType<T>,
  { change, goOn, leaveOut }: Changing<T>,
): Promise<number> {
  const records = new Records(kv);
  let seen = 0;
  let changes = 0;

  /** What is to stand in place of a record, if it is to change. */
  async function next(key: Deno.KvKey): Promise<Omit<Write, "key"> | undefined> {
    try {
      const found = await records.get(key, schema);
      const changed = found && await change(found.value, key);
      return found && changed && { ...changed, expected: found.version };
    } catch (error) {
      const unreadable = unreadableBy(key, error);
      if (unreadable === undefined || leaveOut === undefined) throw unreadable ?? error;
      leaveOut(unreadable);
      return undefined;
    }
  }

  for await (const { key } of kv.list({ prefix })) {
    if (++seen % BATCH === 0) await goOn?.();
    for (let attempt = 0;; attempt++) {
      const write = await next(key);
      if (write === undefined) break;
      if (await records.commit([{ key, ...write }]) !== undefined) {
        changes++;
        break;
      }
      if (attempt === ATTEMPTS) throw new StoreError(`Cannot change ${JSON.stringify(key)}: others keep writing it`);
    }
  }
  return changes;
}

function unreadableBy(key: Deno.KvKey, error: unknown): StoreError | undefined {
  if (error instanceof StoreError) return error;
  if (!(error instanceof EncryptionKeyError)) return undefined;
  return new StoreError(`Cannot read ${JSON.stringify(key)} in the store: ${error.message}`, { cause: error });
}
