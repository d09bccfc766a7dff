import { z } from "zod";

/** A moment that an entry names: its start or its end. */
export const calendarMomentSchema = z.object({
  utc: z.iso.datetime({ precision: 3 }).meta({ description: "The instant, RFC 3339 in UTC" }),
  local: z.string().meta({ description: "As the calendar shows it: a date (all day), or RFC 3339 with its offset" }),
  timeZone: z.string().nullable().meta({ description: "IANA name, or the calendar's own name of the zone; null: UTC" }),
  floating: z.boolean().meta({
    description: "Whether the calendar names no zone, so that the configured one is meant",
  }),
}).meta({ description: "A start or an end" });

/** A moment that an entry names: its start or its end. */
export type CalendarMoment = z.output<typeof calendarMomentSchema>;

/** Who organizes an entry or is asked to come. */
export const calendarPersonSchema = z.object({
  address: z.string().meta({ description: "Calendar user address, an e-mail address where it is one" }),
  name: z.string().nullable().meta({ description: "Display name" }),
  status: z.string().nullable().meta({ description: "Answer in lower case: accepted, declined, tentative, …" }),
  role: z.string().nullable().meta({ description: "Role in lower case: chair, req-participant, opt-participant, …" }),
}).meta({ description: "An organizer or attendee" });

/** Who organizes an entry or is asked to come. */
export type CalendarPerson = z.output<typeof calendarPersonSchema>;

/** How an entry repeats. */
export const calendarRecurrenceSchema = z.object({
  rules: z.array(z.string()).meta({ description: "RRULE values, RFC 5545 section 3.3.10" }),
  dates: z.int().meta({ description: "How many dates are added by hand (RDATE)" }),
  exceptions: z.int().meta({ description: "How many dates are taken out (EXDATE)" }),
  overrides: z.int().meta({ description: "How many occurrences have properties of their own (RECURRENCE-ID)" }),
}).meta({ description: "How an entry repeats" });

/** How an entry repeats. */
export type CalendarRecurrence = z.output<typeof calendarRecurrenceSchema>;

/** What a calendar says of an entry, or of one occurrence of it. */
export const calendarEntry = {
  uid: z.string().meta({ description: "Globally unique identifier of the entry" }),
  calendar: z.string().nullable().meta({ description: "The calendar's display name" }),
  summary: z.string().nullable().meta({ description: "Title" }),
  description: z.string().nullable().meta({ description: "What it says of the entry, often several lines" }),
  location: z.string().nullable().meta({ description: "Where, in words or as an address" }),
  start: calendarMomentSchema,
  end: calendarMomentSchema,
  allDay: z.boolean().meta({ description: "Whether start and end are dates; then the end is the day after the last" }),
  status: z.string().nullable().meta({ description: "confirmed, tentative or cancelled" }),
  organizer: calendarPersonSchema.nullable(),
  attendees: z.array(calendarPersonSchema).meta({ description: "The first hundred" }),
  url: z.string().nullable().meta({ description: "The entry's page" }),
  sequence: z.int().meta({ description: "Revision that the organizer counts" }),
  recurrence: calendarRecurrenceSchema.nullable().meta({ description: "Null for what does not repeat" }),
} as const;
