import type { EmailAddress } from "@inlet/email-events";
import type { Address, Email } from "postal-mime";
import type { Part } from "./structure.ts";

/** What a mail's header says, decoded; what it does not say is `null` or empty. */
export interface MailHeader {
  readonly messageId: string | null;
  readonly inReplyTo: readonly string[];
  readonly references: readonly string[];
  readonly from: readonly EmailAddress[];
  readonly replyTo: readonly EmailAddress[];
  readonly to: readonly EmailAddress[];
  readonly cc: readonly EmailAddress[];
  readonly subject: string | null;
  readonly date: Date | null;
}

const CRLF = "\r\n";

/** A text that holds it has a shorter preview. */
const BOUNDARY = "between-parts-as-inlet-reads-them";
const MULTIPART = `Content-Type: multipart/mixed; boundary=${BOUNDARY}`;

const encode = (text: string) => new TextEncoder().encode(text);

/** Loaded with the first mail: a service that polls none shall not pay for it. */
async function parse(mail: Uint8Array<ArrayBuffer>): Promise<Email> {
  const { default: PostalMime } = await import("postal-mime");
  return await PostalMime.parse(mail);
}

/** Reads a mail's header, up to the empty line or where the bytes end. */
export async function readHeader(bytes: Uint8Array<ArrayBuffer>): Promise<MailHeader> {
  const { headers, replyTo, to, cc, subject, messageId, inReplyTo, references } = await parse(bytes);
  const { addressParser } = await import("postal-mime");
  const valuesOf = (key: string) => headers.filter((header) => header.key === key).map(({ value }) => value);
  return {
    messageId: messageIds(messageId)[0] ?? null,
    inReplyTo: messageIds(inReplyTo),
    references: messageIds(references),
    from: mailboxes(valuesOf("from").flatMap((value) => addressParser(value))),
    replyTo: mailboxes(replyTo),
    to: mailboxes(to),
    cc: mailboxes(cc),
    subject: subject?.trim() || null,
    date: dateOf(valuesOf("date")[0]),
  };
}

/**
 * Decodes the beginning of a mail's text; HTML is written as plain text.
 *
 * @param bytes As transferred; may end anywhere.
 */
export async function readText(part: Part, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const head = [
    `Content-Type: ${oneLine(part.contentType)}; charset=${inQuotes(part.contentTypeParameters["charset"] ?? "utf-8")}`,
    `Content-Transfer-Encoding: ${oneLine(part.encoding)}`,
    "",
    "",
  ];
  const { text = "", html } = await parse(concat(encode(head.join(CRLF)), bytes));
  return tidy(html === undefined ? text : await textOfHtml(html));
}

/** Beside a plain text, the parser gives HTML as text, too. */
async function textOfHtml(html: string): Promise<string> {
  // Unclosed, as where the bytes end, they take all the rest; so each character is looked at once.
  const shown = html.replaceAll(/<(head|style|script|title)\b[^]*?(?:<\/\1\s*>|$)/gi, " ");
  // Through links that are not closed, the parser looks for an end again and again.
  const closed = shown.lastIndexOf(">") + 1;
  const linked = shown.slice(0, closed) + shown.slice(closed).replaceAll(/<a\b/gi, " ");
  const texts = ["Content-Type: text/plain", "", "-", `--${BOUNDARY}`, "Content-Type: text/html; charset=utf-8", ""];
  const { text = "" } = await parse(encode([MULTIPART, "", `--${BOUNDARY}`, ...texts, linked].join(CRLF)));
  return text.replace(/^-/, "");
}

function tidy(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n").replaceAll(/[^\S\n]+/g, " ").replaceAll(/ ?\n ?/g, "\n").replaceAll(
    /\n{3,}/g,
    "\n\n",
  )
    .trim();
}

/** The decoded names of files, `null` for one without: plain, as an encoded word, or in parts (RFC 2231). */
export async function readFileNames(parts: readonly Part[]): Promise<(string | null)[]> {
  if (parts.length === 0) return [];
  const lines = parts.flatMap((part) => [
    `--${BOUNDARY}`,
    `Content-Type: application/octet-stream${written(part.contentTypeParameters)}`,
    `Content-Disposition: attachment${written(part.dispositionParameters)}`,
    "",
    "-",
  ]);
  const head = [MULTIPART, "", ...lines, `--${BOUNDARY}--`, ""];
  const { attachments } = await parse(encode(head.join(CRLF)));
  return parts.map((_, index) => attachments[index]?.filename?.trim() || null);
}

function mailboxes(addresses: readonly Address[] | undefined): EmailAddress[] {
  const flat = (addresses ?? []).flatMap((address) => address.group ?? [address]);
  return flat.map(({ name, address }) => ({ name: name || null, address: address ?? "" }))
    .filter(({ name, address }) => name !== null || address !== "");
}

function messageIds(text: string | undefined): string[] {
  return text?.match(/<[^<>\s]+>/g) ?? [];
}

/** Reads a date as RFC 5322 writes it; one without a zone is in UTC, not in that of the machine that reads it. */
function dateOf(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const plain = withoutComments(text).trim();
  const zoned = /(?:[+-]\d\d:?\d\d|\b[A-Z]{1,5})$/i.test(plain) ? plain : `${plain} GMT`;
  const date = new Date(zoned);
  return date.getUTCFullYear() >= 1900 && date.getUTCFullYear() <= 9999 ? date : null;
}

/** Comments stand in parentheses, also within each other (RFC 5322, section 3.2.2). */
function withoutComments(text: string): string {
  let depth = 0;
  return text.replaceAll(/[()]|[^()]+/g, (part) => {
    if (part === "(") depth++;
    else if (part === ")") depth = Math.max(0, depth - 1);
    else if (depth === 0) return part;
    return " ";
  });
}

function written(parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters).filter(([name]) => /^(?:file)?name[*\d]*$/.test(name))
    .map(([name, value]) => `;${CRLF} ${name}=${name.endsWith("*") ? oneLine(value) : inQuotes(value)}`).join("");
}

const oneLine = (text: string) => text.replaceAll(/[\r\n]+/g, " ");
const inQuotes = (text: string) => `"${oneLine(text).replaceAll(/[\\"]/g, "\\$&")}"`;

function concat(head: Uint8Array, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(head.length + body.length);
  whole.set(head);
  whole.set(body, head.length);
  return whole;
}
