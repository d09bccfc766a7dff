import type { Polled } from "../kit/mod.ts";
import { type Cursor, FIRST_LOOK_MS, isNewer, reading, searchDay, unread } from "./cursor.ts";
import { readDates, readMails, readSizes } from "./fetch.ts";
import type { ImapSession, Mailbox } from "./imap/session.ts";
import { normalize, type Place } from "./normalize.ts";

/** Mails of one page. */
const PAGE = 50;

/**
 * What the mails of a page have together, but for one that has more by itself: a server tells of a mail's structure at as
 * great length as its sender liked, and all of a page have to be told of in the time of one poll.
 */
const PAGE_BYTES = 64 * 1024 * 1024;

/** UIDs to ask for at once. Where many are missing the steps grow; what a step gives stays below a megabyte. */
const FIRST_STEP = 1_000;
const LARGEST_STEP = 100_000;
const MOST_STEPS = 100;

/** How many of the latest mails tell how far a mailbox is read at first. */
const FIRST_LOOK = 500;

/** Where to read and where it was read to. */
export interface PageRequest {
  readonly username: string;
  readonly mailbox: string;
  readonly previewLength: number;
  readonly cursor: Cursor | null;
  readonly now: Date;
}

/** Reads one page of a mailbox's new mails. The first time there is none: events begin now. */
export async function readPage(session: ImapSession, request: PageRequest): Promise<Polled<Cursor>> {
  const { username, mailbox, previewLength, cursor, now } = request;
  const place = `${username}/${mailbox}`;
  const box = await session.examine(mailbox);
  if (cursor?.place !== place) return { drafts: [], cursor: { place, ...await begin(session, box, now) } };
  const from = continued(cursor, box);
  const { uids, reached } = await fitting(session, await nextUids(session, from, box));
  const mails = await readMails(session, uids, now);
  const { resync } = from;
  const events = mails.filter((mail) => resync === undefined || mail.uid > resync.until || isNewer(mail, resync.after));
  const found: Place = { mailbox, uidValidity: from.uidValidity, previewLength };
  return {
    drafts: events.map((mail) => normalize(mail, found)),
    cursor: {
      place,
      uidValidity: from.uidValidity,
      uid: reached,
      newest: reading(from.newest, mails, now),
      ...(resync !== undefined && resync.until > reached && { resync }),
    },
    more: reached < box.uidNext - 1,
  };
}

async function begin(
  session: ImapSession,
  { uidValidity, uidNext }: Mailbox,
  now: Date,
): Promise<Omit<Cursor, "place">> {
  const uid = uidNext - 1;
  const recent = await session.search(1, uid, new Date(now.getTime() - FIRST_LOOK_MS));
  const mails = await readDates(session, recent.slice(-FIRST_LOOK), now);
  return { uidValidity, uid, newest: reading(unread(now), mails, now) };
}

/**
 * Where to go on. UIDs that mean other mails than they did (RFC 3501, section 2.3.1.1), or that a restored mailbox gives
 * again, are read from the first, and the mails' dates tell which of them were read before.
 */
function continued(cursor: Cursor, { uidValidity, uidNext }: Mailbox): Cursor {
  if (cursor.uidValidity === uidValidity && cursor.uid < uidNext) return cursor;
  const after = cursor.resync?.after ?? cursor.newest;
  return { place: cursor.place, uidValidity, uid: 0, newest: cursor.newest, resync: { until: uidNext - 1, after } };
}

/** A page's UIDs, and the UID up to which there are no others. */
interface Found {
  readonly uids: readonly number[];
  readonly reached: number;
}

/** As many of them as a page has room for. */
async function fitting(session: ImapSession, found: Found): Promise<Found> {
  if (found.uids.length < 2) return found;
  const sizes = await readSizes(session, found.uids);
  let bytes = 0;
  const end = found.uids.findIndex((uid, index) => (bytes += sizes.get(uid) ?? 0) > PAGE_BYTES && index > 0);
  if (end === -1) return found;
  const uids = found.uids.slice(0, end);
  return { uids, reached: uids.at(-1) ?? found.reached };
}

async function nextUids(session: ImapSession, { uid, resync }: Cursor, { uidNext }: Mailbox): Promise<Found> {
  let reached = uid;
  for (let step = FIRST_STEP, steps = 0; reached < uidNext - 1 && steps < MOST_STEPS; steps++) {
    const old = resync !== undefined && reached < resync.until ? resync : undefined;
    const end = Math.min(reached + step, old?.until ?? uidNext - 1);
    const uids = await session.search(reached + 1, end, old && searchDay(old.after));
    if (uids.length > PAGE) return { uids: uids.slice(0, PAGE), reached: uids[PAGE - 1] ?? end };
    if (uids.length > 0) return { uids, reached: end };
    reached = end;
    step = Math.min(step * 10, LARGEST_STEP);
  }
  return { uids: [], reached };
}
