import { giveWay } from "../kit/mod.ts";
import type { Dated } from "./cursor.ts";
import type { FetchedItems, ImapSession } from "./imap/session.ts";
import { type ImapValue, textOf } from "./imap/tokens.ts";
import { readFileNames, readHeader, readText } from "./mime.ts";
import type { Mail } from "./normalize.ts";
import { filesOf, type Part, partsOf, textPartOf } from "./structure.ts";

/** A header or a text beyond is cut off: of a mail of 50 MB, 128 KiB at most are fetched. */
const MAX_HEADER_BYTES = 65_536;
const MAX_TEXT_BYTES = 65_536;
/** The parser takes its time for each line, however short: no preview needs more of them. */
const MAX_TEXT_LINES = 2_000;

/** A Message-ID is a line; one that is longer still tells mails from each other. */
const MAX_MESSAGE_ID_BYTES = 8_192;

const LF = "\n".charCodeAt(0);

const DATED = "INTERNALDATE RFC822.SIZE";
const HEADER = `BODY.PEEK[HEADER]<0.${MAX_HEADER_BYTES}>`;

/** One mail with what is known of it before its text. */
interface Outline {
  readonly uid: number;
  readonly items: FetchedItems;
  readonly parts: readonly Part[];
  readonly textPart: Part | null;
}

/** Reads what tells mails from each other without their UIDs, and nothing else. */
export async function readDates(session: ImapSession, uids: readonly number[], now: Date): Promise<Dated[]> {
  const fetched = await session.fetch(
    uids,
    `${DATED} BODY.PEEK[HEADER.FIELDS (MESSAGE-ID)]<0.${MAX_MESSAGE_ID_BYTES}>`,
  );
  return await Promise.all(fetched.values().map((items) => datedOf(items, now)));
}

/** How many bytes each mail has. */
export async function readSizes(session: ImapSession, uids: readonly number[]): Promise<Map<number, number>> {
  const fetched = await session.fetch(uids, "RFC822.SIZE");
  return new Map([...fetched].map(([uid, items]) => [uid, sizeOf(items)]));
}

/**
 * Reads mails, ascending by UID, in one command and one more for each place that a text has in them. Of a mail whose
 * structure is too long or too deep for anybody to read, there is only the header.
 */
export async function readMails(session: ImapSession, uids: readonly number[], now: Date): Promise<Mail[]> {
  const whole = await session.fetch(uids, `${DATED} BODYSTRUCTURE ${HEADER}`);
  const untold = uids.filter((uid) => !whole.get(uid)?.has("BODY[HEADER]"));
  const plain = await session.fetch(untold, `${DATED} ${HEADER}`);
  const outlines = [...whole, ...plain].filter(([, items]) => items.has("BODY[HEADER]"))
    .map(([uid, items]): Outline => {
      const structure = items.get("BODYSTRUCTURE");
      const parts = structure === undefined ? [] : partsOf(structure);
      return { uid, items, parts, textPart: textPartOf(parts) };
    });
  const texts = await readTexts(session, outlines);
  const mails: Mail[] = [];
  for (const outline of outlines.sort((a, b) => a.uid - b.uid)) {
    await giveWay();
    mails.push(await mailOf(outline, texts.get(outline.uid) ?? null, now));
  }
  return mails;
}

async function readTexts(
  session: ImapSession,
  outlines: readonly Outline[],
): Promise<Map<number, Uint8Array<ArrayBuffer>>> {
  const texts = new Map<number, Uint8Array<ArrayBuffer>>();
  for (const [section, mails] of Map.groupBy(outlines, ({ textPart }) => textPart?.section)) {
    if (section === undefined) continue;
    const uids = mails.map(({ uid }) => uid).sort((a, b) => a - b);
    for (const [uid, items] of await session.fetch(uids, `BODY.PEEK[${section}]<0.${MAX_TEXT_BYTES}>`)) {
      texts.set(uid, bytesOf(items.get(`BODY[${section}]`)));
    }
  }
  return texts;
}

async function mailOf(
  { uid, items, parts, textPart }: Outline,
  text: Uint8Array<ArrayBuffer> | null,
  now: Date,
): Promise<Mail> {
  const files = filesOf(parts);
  const names = await readFileNames(files);
  const beginning = text && firstLines(text);
  return {
    uid,
    ...await datedOf(items, now),
    text: textPart === null || beginning === null ? "" : await readText(textPart, beginning),
    textGoesOn: text?.length === MAX_TEXT_BYTES || beginning?.length !== text?.length,
    files: files.map((part, index) => ({ ...part, name: names[index] ?? null })),
  };
}

function sizeOf(items: FetchedItems): number {
  return Number(textOf(items.get("RFC822.SIZE"))) || 0;
}

function firstLines(text: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  let end = 0;
  for (let lines = 0; lines < MAX_TEXT_LINES; lines++) {
    end = text.indexOf(LF, end) + 1;
    if (end === 0) return text;
  }
  return text.subarray(0, end);
}

async function datedOf(items: FetchedItems, now: Date): Promise<Dated & Pick<Mail, "header">> {
  const header = items.entries().find(([name]) => name.startsWith("BODY[HEADER"))?.[1];
  return {
    receivedAt: internalDate(textOf(items.get("INTERNALDATE"))) ?? now,
    size: sizeOf(items),
    header: await readHeader(bytesOf(header)),
  };
}

/** Reads a date as RFC 3501 writes it: `" 2-Mar-2026 12:00:00 +0100"`. */
function internalDate(text: string | null): Date | null {
  const date = new Date(text?.trim().replace(/^(\d+)-(\w+)-(\d+)/, "$1 $2 $3") ?? "");
  return date.getUTCFullYear() >= 1900 && date.getUTCFullYear() <= 9999 ? date : null;
}

/** What is short enough may come as a quoted string, or as NIL where it is empty. */
function bytesOf(value: ImapValue | undefined): Uint8Array<ArrayBuffer> {
  return value instanceof Uint8Array ? value : new TextEncoder().encode(textOf(value) ?? "");
}
