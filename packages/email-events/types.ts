import type { EventOf } from "@inlet/events-core";
import { emailMessagePayloadSchema } from "./message.ts";

/** The event types by name. */
export const EmailEventType = {
  /** A mail has come into the mailbox. */
  MESSAGE_RECEIVED: "email.message.received",
} as const;

/** Any event type that the e-mail connector can emit. */
export type EmailEventType = (typeof EmailEventType)[keyof typeof EmailEventType];

/** Every event type that the e-mail connector can emit, sorted. */
export const emailEventTypes: readonly EmailEventType[] = Object.values(EmailEventType).sort();

const known = new Set<string>(emailEventTypes);

/** Tells whether a type is one that the e-mail connector of this version can emit. */
export function isEmailEventType(type: string): type is EmailEventType {
  return known.has(type);
}

/**
 * The payload schema of every event type. They strip what they do not know, so that a consumer goes on when a later
 * version of the connector tells more.
 */
export const emailPayloadSchemas = {
  [EmailEventType.MESSAGE_RECEIVED]: emailMessagePayloadSchema,
} as const;

/** Any event of the e-mail connector, its payload told by its `type`. */
export type EmailEvent = EventOf<typeof emailPayloadSchemas>;
