import { createHash } from "node:crypto";
import { z } from "zod";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** More mails than that in one second are repeated after a change of UIDs, rather than remembered. */
const MOST_MARKS = 1_000;

/** Times from further ahead than any clock goes wrong are not the server's own. */
const AHEAD_MS = DAY_MS;

const newestSchema = z.object({
  /** The latest INTERNALDATE of the mails that were seen, in whole seconds as the server has it. */
  at: z.iso.datetime(),
  /** Marks of the mails of that very second. */
  marks: z.array(z.string()),
});

/** How far a mailbox was read in time, for when its UIDs mean nothing any more. */
export type Newest = z.output<typeof newestSchema>;

/** Where the last poll ended. */
export const cursorSchema = z.object({
  /** Whose mailbox this is about: in another one events begin anew. */
  place: z.string(),
  uidValidity: z.int(),
  /** Mails up to this UID have been looked at. */
  uid: z.int(),
  newest: newestSchema,
  /** After UIDVALIDITY changed: mails up to the UID `until` are events only if they are newer than `after`. */
  resync: z.object({ until: z.int(), after: newestSchema }).optional(),
});

/** Where the last poll ended. */
export type Cursor = z.output<typeof cursorSchema>;

/** What tells one mail from another without its UID. */
export interface Dated {
  readonly receivedAt: Date;
  readonly size: number;
  readonly header: { readonly messageId: string | null };
}

/** Mails of at least these last days tell how far a mailbox is read that is polled for the first time. */
export const FIRST_LOOK_MS: number = 2 * DAY_MS;

/** The reading before anything is read: no mail is older than `FIRST_LOOK_MS` without being older than this, too. */
export function unread(now: Date): Newest {
  return { at: inSeconds(now.getTime() - DAY_MS), marks: [] };
}

/** How far a mailbox is read with these mails, too. */
export function reading(newest: Newest, mails: readonly Dated[], now: Date): Newest {
  return mails.filter(({ receivedAt }) => receivedAt.getTime() <= now.getTime() + AHEAD_MS).reduce((newest, mail) => {
    const at = inSeconds(mail.receivedAt.getTime());
    if (at < newest.at) return newest;
    const marks = at === newest.at ? newest.marks : [];
    return { at, marks: [...new Set([...marks, markOf(mail)])].slice(-MOST_MARKS) };
  }, newest);
}

/** Whether a mail has come after a reading. */
export function isNewer(mail: Dated, than: Newest): boolean {
  const at = inSeconds(mail.receivedAt.getTime());
  return at > than.at || at === than.at && !than.marks.includes(markOf(mail));
}

/** A day to search from, for mails as new as a reading: SEARCH knows days, in whatever zone the mail's date is. */
export function searchDay({ at }: Newest): Date {
  return new Date(Date.parse(at) - DAY_MS);
}

function markOf({ header: { messageId }, size }: Dated): string {
  return createHash("sha256").update(`${size} ${messageId ?? ""}`).digest("hex").slice(0, 16);
}

/** Years have four digits here, so that times compare as texts. */
function inSeconds(time: number): string {
  return new Date(Math.floor(time / 1000) * 1000).toISOString();
}
