import { z } from "zod";

/** What was told of an entry. Names are short, for there is one of these for each entry. */
const knownSchema = z.object({
  /** UID, where it is not the key. */
  i: z.string().optional(),
  /** Fingerprint of what was told. */
  f: z.string(),
  /** ETag of the resource. */
  e: z.string().optional(),
  /** When its last occurrence has ended, in milliseconds since the epoch; `null` if never. */
  u: z.number().nullable(),
  /** Start of the first one. */
  t: z.number(),
  /** Title, shortened: what can be said once it is removed. */
  s: z.string().nullable(),
  /** Whether it was told to be cancelled. */
  c: z.literal(true).optional(),
});

/** What was told of an entry. */
export type Known = z.output<typeof knownSchema>;

/** Where we stand with one calendar. */
const calendarStateSchema = z.object({
  /** Starts and ends are told until then, in milliseconds since the epoch. */
  until: z.number(),
  /** When to look at the entries again though the calendar has not changed; `null` if never. */
  next: z.number().nullable(),
  /** Grows from the first poll's time with each page of changes: a change, its undoing and it again are three. */
  revision: z.int(),
  /** By UID, or by path where entries are resources; `null` where changes are not told. */
  known: z.record(z.string(), knownSchema).nullable(),
  etag: z.string().optional(),
  lastModified: z.string().optional(),
  syncToken: z.string().optional(),
  ctag: z.string().optional(),
});

/** Where we stand with one calendar. */
export type CalendarState = z.output<typeof calendarStateSchema>;

/** Where the last poll ended. */
export const cursorSchema = z.object({
  /** Stands for the settings: with others, another calendar is read, and events begin anew. */
  source: z.string(),
  /** By path; one with the key "" for a feed. */
  calendars: z.record(z.string(), calendarStateSchema),
});

/** Where the last poll ended. */
export type CalendarCursor = z.output<typeof cursorSchema>;
