import { z } from "zod";
import { instant } from "./time.ts";

// What sources leave out, send as null or mix, read leniently: it is no reason to refuse an event. Fields are read as
// they are and turned once per object: a transform of each would cost five times the reading.

const NEVER = new Date(Number.NaN);

/** Text that a source may leave out or send as null. */
export const text = z.string().nullish();

/** A number that a source may leave out or send as null. */
export const number = z.number().nullish();

/** A {@link text} of a thing of any kind: where the source has something else under its name, there is none. */
export const looseText = text.catch(null);

/** A {@link number} of a thing of any kind, likewise. */
export const looseNumber = number.catch(null);

/** The first of several texts that is there and not empty; null where none is. */
export function firstText(...candidates: readonly (string | null | undefined)[]): string | null {
  return candidates.find((it) => it) || null;
}

/** A yes or no that a source may leave out where it means no. */
export const flag = z.boolean().nullish();

/** A time, for {@link iso} to read: whatever it is, a time is no reason to refuse an event. */
export const time = z.unknown().optional();

/** What most sources write, of a day that every month has; up to the year 1 it may be none, as {@link instant} knows. */
const PLAIN_TIME = /^(?!000[01])\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

/** A {@link time}, in whichever way the source writes it, as RFC 3339 in UTC; null for none, or for what is no time. */
export function iso(value: unknown): string | null {
  // Each event has several times: to read them all as dates took longer than its schema.
  if (typeof value === "string" && PLAIN_TIME.test(value)) return value.replace("Z", ".000Z");
  const at = instant(value, NEVER);
  return at === NEVER ? null : at.toISOString();
}

/** A list that a source may leave out, with nulls for what was deleted: {@link present} leaves those out. */
export function list<T>(item: z.ZodType<T>): z.ZodType<(T | null)[] | null | undefined> {
  return listOf(item.nullable()).nullish();
}

/**
 * A list, read as far as its first wrong item: a body has room for millions, and to describe them takes minutes and all
 * memory.
 */
export function listOf<T>(item: z.ZodType<T>): z.ZodType<T[]> {
  // A `z.array` would make an object for each item before the first is looked at.
  return z.unknown().transform((items, context) => {
    if (Array.isArray(items)) return readEach(items.entries(), item, context).map(([, value]) => value);
    context.addIssue({ code: "invalid_type", expected: "array", input: items });
    return z.NEVER;
  });
}

/** An object of any names, read likewise. */
export function recordOf<T>(item: z.ZodType<T>): z.ZodType<Record<string, T>> {
  return z.record(z.string(), z.unknown()).transform((items, context) =>
    Object.fromEntries(readEach(Object.entries(items), item, context))
  );
}

function readEach<Key extends PropertyKey, T>(
  entries: Iterable<readonly [Key, unknown]>,
  item: z.ZodType<T>,
  context: z.RefinementCtx,
): [Key, T][] {
  const read: [Key, T][] = [];
  for (const [key, value] of entries) {
    const { data, error } = item.safeParse(value);
    if (error !== undefined) {
      for (const { path, message } of error.issues) {
        context.addIssue({ code: "custom", path: [key, ...path], message });
      }
      break;
    }
    read.push([key, data]);
  }
  return read;
}

/** What is in a {@link list}. */
export function present<T>(items: readonly (T | null)[] | null | undefined): T[] {
  return (items ?? []).flatMap((it) => it === null ? [] : [it]);
}
