import type { CalendarEventType } from "./payloads.ts";

/** What each event type means, in a sentence: what has happened, and when it comes. */
export const calendarEventDescriptions: Readonly<Record<CalendarEventType, string>> = {
  "calendar.event.cancelled": "An entry was removed from the calendar, or stands there as cancelled.",
  "calendar.event.created": "An entry was put into the calendar: one event for a series, however often it repeats.",
  "calendar.event.ended": "An occurrence of an entry ended, as its end in the calendar says: once for each occurrence.",
  "calendar.event.started": "An occurrence of an entry started, as its start in the calendar says: once for each.",
  "calendar.event.updated": "An entry was changed, or one occurrence of a series was moved or called off.",
};
