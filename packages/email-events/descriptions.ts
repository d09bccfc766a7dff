import type { EmailEventType } from "./types.ts";

/** What each event type means, in a sentence: what has happened, and when it comes. */
export const emailEventDescriptions: Readonly<Record<EmailEventType, string>> = {
  "email.message.received": "A mail came into the mailbox that is read; it is told with the first poll after that.",
};
