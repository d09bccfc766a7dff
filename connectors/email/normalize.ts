import { EmailEventType, type EmailMessagePayload } from "@inlet/email-events";
import type { Actor } from "@inlet/events-core";
import type { PolledDraft } from "../kit/mod.ts";
import type { MailHeader } from "./mime.ts";
import type { Part } from "./structure.ts";

/** A mail as far as it was read, everything in it decoded. */
export interface Mail {
  readonly uid: number;
  readonly receivedAt: Date;
  /** Bytes of the whole. */
  readonly size: number;
  readonly header: MailHeader;
  /** The beginning of its text. */
  readonly text: string;
  /** Whether the text goes on behind `text`. */
  readonly textGoesOn: boolean;
  readonly files: readonly (Part & { readonly name: string | null })[];
}

/** Where a mail was found, and how much of its text is wanted. */
export interface Place {
  readonly mailbox: string;
  readonly uidValidity: number;
  /** Characters (UTF-16 units). */
  readonly previewLength: number;
}

const MOST_FILES = 100;

/** Makes of a mail the event that it came. Pure. */
export function normalize(mail: Mail, { mailbox, uidValidity, previewLength }: Place): PolledDraft {
  const { uid, receivedAt, size, header, text, textGoesOn, files } = mail;
  const name = `${mailbox}/${uidValidity}/${uid}`;
  const { messageId, subject, date, ...people } = header;
  const payload: EmailMessagePayload = {
    mailbox,
    uidValidity,
    uid,
    receivedAt: receivedAt.toISOString(),
    size,
    messageId,
    inReplyTo: [...people.inReplyTo],
    references: [...people.references],
    from: [...people.from],
    replyTo: [...people.replyTo],
    to: [...people.to],
    cc: [...people.cc],
    subject,
    date: date?.toISOString() ?? null,
    preview: beginningOf(text, previewLength),
    previewTruncated: textGoesOn || text.length > previewLength,
    attachments: files.slice(0, MOST_FILES).map(({ name, contentType, size, disposition }) => ({
      name,
      contentType,
      size,
      inline: disposition === "inline",
    })),
  };
  return {
    // A mailbox that was set back, or another account's, gives the same name to another mail.
    key: `${name}/${messageId ?? size}`,
    type: EmailEventType.MESSAGE_RECEIVED,
    occurredAt: receivedAt,
    actor: actorOf(header),
    subject: { type: "message", id: messageId ?? name, ...(subject !== null && { name: subject }) },
    payload,
  };
}

/** The first author; nobody but the mail system where a mail names none. */
function actorOf({ from }: MailHeader): Actor {
  const author = from.find(({ address }) => address !== "");
  if (author === undefined) return { type: "system", id: "email", name: from[0]?.name ?? "Unknown sender" };
  return { type: "user", id: author.address.toLowerCase(), name: author.name ?? author.address };
}

/** Cuts no character in two. */
function beginningOf(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, "").trimEnd();
}
