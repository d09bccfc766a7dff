import type { EventOf } from "@inlet/events-core";
import { z } from "zod";
import { calendarEntry } from "./entry.ts";

/** The event types by name. */
export const CalendarEventType = {
  EVENT_CANCELLED: "calendar.event.cancelled",
  EVENT_CREATED: "calendar.event.created",
  EVENT_ENDED: "calendar.event.ended",
  EVENT_STARTED: "calendar.event.started",
  EVENT_UPDATED: "calendar.event.updated",
} as const;

/** Any event type that the calendar connector can emit. */
export type CalendarEventType = (typeof CalendarEventType)[keyof typeof CalendarEventType];

/** Every event type that the calendar connector can emit, sorted. */
export const calendarEventTypes: readonly CalendarEventType[] = Object.values(CalendarEventType).sort();

const known = new Set<string>(calendarEventTypes);

/** Tells whether a type is one that the calendar connector of this version can emit. */
export function isCalendarEventType(type: string): type is CalendarEventType {
  return known.has(type);
}

/** Payload of `calendar.event.created` and `calendar.event.updated`: the entry as it is now. */
export const calendarEntryPayloadSchema = z.object(calendarEntry);

/** Payload of `calendar.event.created` and `calendar.event.updated`. */
export type CalendarEntryPayload = z.output<typeof calendarEntryPayloadSchema>;

/** Payload of `calendar.event.started` and `calendar.event.ended`: the occurrence that starts or ends. */
export const calendarOccurrencePayloadSchema = z.object({
  ...calendarEntry,
  recurrenceId: z.iso.datetime({ precision: 3 }).nullable()
    .meta({ description: "When the entry's rule has this occurrence, in UTC; null for what does not repeat" }),
});

/** Payload of `calendar.event.started` and `calendar.event.ended`. */
export type CalendarOccurrencePayload = z.output<typeof calendarOccurrencePayloadSchema>;

/** Payload of `calendar.event.cancelled`: what was last known of the entry. */
export const calendarCancelledPayloadSchema = z.object({
  uid: calendarEntry.uid,
  calendar: calendarEntry.calendar,
  summary: z.string().nullable().meta({ description: "Title; shortened to 100 characters" }),
  start: z.iso.datetime({ precision: 3 }).meta({ description: "Start of the (first) occurrence, in UTC" }),
  reason: z.enum(["removed", "status"])
    .meta({ description: "Whether it is gone from the calendar, or stands there as cancelled" }),
});

/** Payload of `calendar.event.cancelled`. */
export type CalendarCancelledPayload = z.output<typeof calendarCancelledPayloadSchema>;

/** The payload schema of every event type. They strip what they do not know. */
export const calendarPayloadSchemas = {
  [CalendarEventType.EVENT_CANCELLED]: calendarCancelledPayloadSchema,
  [CalendarEventType.EVENT_CREATED]: calendarEntryPayloadSchema,
  [CalendarEventType.EVENT_ENDED]: calendarOccurrencePayloadSchema,
  [CalendarEventType.EVENT_STARTED]: calendarOccurrencePayloadSchema,
  [CalendarEventType.EVENT_UPDATED]: calendarEntryPayloadSchema,
} as const;

/** Any event of the calendar connector, its payload told by its `type`. */
export type CalendarEvent = EventOf<typeof calendarPayloadSchemas>;
