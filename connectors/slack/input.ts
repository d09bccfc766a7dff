import type { SlackAttachment, SlackFile, SlackMessage } from "@inlet/slack-events";
import { z } from "zod";
import { listOf, number, text } from "../kit/mod.ts";

// What we read of the things that many of Slack's deliveries share. Everything strips what it does not name.

/** An id that must be there. */
export const id = z.string().min(1);

const LONGEST_SECONDS = /^(\d{1,11})(?:\.(\d+))?$/;

/**
 * Reads Slack's time: seconds since the epoch, as a number or as text with six decimals, which no floating-point number
 * carries exactly. Anything else gives `otherwise`.
 */
export function momentOf(value: unknown, otherwise: Date): Date {
  if (typeof value !== "string" && typeof value !== "number") return otherwise;
  const [, seconds, fraction = ""] = LONGEST_SECONDS.exec(String(value)) ?? [];
  if (seconds === undefined) return otherwise;
  return new Date(Number(seconds) * 1000 + Number(fraction.slice(0, 3).padEnd(3, "0")));
}

/** A name or id, null where Slack has none. */
export function named(value: string | null | undefined): string | null {
  return value || null;
}

const file = z.object({
  id,
  name: text,
  title: text,
  mimetype: text,
  size: number,
  url_private: text,
  permalink: text,
}).transform((it): SlackFile => ({
  id: it.id,
  name: named(it.name),
  title: named(it.title),
  mimetype: named(it.mimetype),
  size: it.size ?? null,
  url: named(it.url_private),
  permalink: named(it.permalink),
}));

const attachment = z.object({ title: text, title_link: text, text, fallback: text }).transform((
  it,
): SlackAttachment => ({
  title: named(it.title),
  titleLink: named(it.title_link),
  text: named(it.text),
  fallback: named(it.fallback),
}));

/** What a message is read from. */
export const messageShape = {
  ts: id,
  thread_ts: text,
  subtype: text,
  text,
  user: text,
  bot_id: text,
  username: text,
  bot_profile: z.object({ name: text }).nullish(),
  files: listOf(file).nullish(),
  attachments: listOf(attachment).nullish(),
  edited: z.object({ user: text, ts: text }).nullish(),
} as const;

const written = z.object(messageShape);

/** What our payloads say of a message. */
export function messageOf(it: z.output<typeof written>): SlackMessage {
  return {
    ts: it.ts,
    threadTs: named(it.thread_ts),
    subtype: named(it.subtype),
    text: it.text ?? null,
    userId: named(it.user),
    botId: named(it.bot_id),
    botName: named(it.username) ?? named(it.bot_profile?.name),
    files: it.files ?? [],
    attachments: it.attachments ?? [],
    edited: it.edited ? { userId: named(it.edited.user), ts: named(it.edited.ts) } : null,
  };
}

/** A message that stands in something else. */
export const message = written.transform(messageOf);
