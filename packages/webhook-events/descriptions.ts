import type { WEBHOOK_EVENTS } from "./types.ts";

/** What the types mean, in a sentence: what has happened, and when it comes. */
export const webhookEventDescriptions: Readonly<Record<typeof WEBHOOK_EVENTS, string>> = {
  "webhook.*.*":
    "A sender of signed JSON told something: the type's last two words are its own name of it, such as webhook.invoice.paid.",
};
