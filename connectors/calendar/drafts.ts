import {
  type CalendarCancelledPayload,
  type CalendarEntryPayload,
  CalendarEventType,
  type CalendarOccurrencePayload,
  type CalendarPerson,
} from "@inlet/calendar-events";
import type { Actor } from "@inlet/events-core";
import ICAL from "ical.js";
import type { PolledDraft } from "../kit/mod.ts";
import type { Entry } from "./calendar.ts";
import type { Known } from "./cursor.ts";
import { endOf, momentsOf, type Version, written } from "./entry.ts";
import { type Occurrence, repeats } from "./occurrences.ts";

/** The calendar that drafts are about. */
export interface Place {
  /** Begins each key: calendars of one account can hold the same invitation. */
  readonly scope: string;
  readonly name: string | null;
  readonly now: Date;
}

const MOST_ATTENDEES = 100;
const MOST_TEXT = 8000;
const CALENDAR: Actor = { type: "system", id: "calendar" };

/** An entry is new, or is not as it was. */
export function changedDraft(action: "created" | "updated", entry: Entry, revision: number, place: Place): PolledDraft {
  const { main, uid, fingerprint } = entry;
  const type = action === "created" ? CalendarEventType.EVENT_CREATED : CalendarEventType.EVENT_UPDATED;
  return {
    key: `${action}/${place.scope}${uid}/${fingerprint}/${revision}`,
    type,
    occurredAt: changedAt(entry, action === "created" ? "created" : "last-modified", place),
    actor: actorOf(main.component),
    subject: subjectOf(uid, textOf(main.component, "summary")),
    payload: entryPayload(entry, main, place),
  };
}

/** An entry is gone, or stands there as cancelled. */
export function cancelledDraft(uid: string, known: Known, revision: number, place: Place, entry?: Entry): PolledDraft {
  const payload: CalendarCancelledPayload = {
    uid,
    calendar: place.name,
    summary: known.s,
    start: new Date(known.t).toISOString(),
    reason: entry === undefined ? "removed" : "status",
  };
  return {
    key: `cancelled/${place.scope}${uid}/${known.f}/${revision}`,
    type: CalendarEventType.EVENT_CANCELLED,
    occurredAt: entry === undefined ? place.now : changedAt(entry, "last-modified", place),
    actor: entry === undefined ? CALENDAR : actorOf(entry.main.component),
    subject: subjectOf(uid, known.s),
    payload,
  };
}

/** An occurrence starts or ends. */
export function occurrenceDraft(
  action: "started" | "ended",
  entry: Entry,
  { version, start, end, recurrenceId }: Occurrence,
  place: Place,
): PolledDraft {
  const at = action === "started" ? start : end;
  const payload: CalendarOccurrencePayload = {
    ...entryPayload(entry, version, place),
    start: written(start),
    end: written(end),
    recurrenceId: recurrenceId === null ? null : new Date(recurrenceId).toISOString(),
  };
  const id = `${recurrenceId ?? ""}/${at.instant}`;
  return {
    key: `${action}/${place.scope}${entry.uid}/${id}`,
    type: action === "started" ? CalendarEventType.EVENT_STARTED : CalendarEventType.EVENT_ENDED,
    occurredAt: new Date(at.instant),
    actor: actorOf(version.component),
    subject: subjectOf(entry.uid, payload.summary),
    payload,
  };
}

/** The title of an entry, shortened to 100 characters. */
export function titleOf({ main }: Entry): string | null {
  const summary = textOf(main.component, "summary");
  return summary === null ? null : [...summary].slice(0, 100).join("");
}

function entryPayload(entry: Entry, { component, start, length }: Version, place: Place): CalendarEntryPayload {
  return {
    uid: entry.uid,
    calendar: place.name,
    summary: textOf(component, "summary"),
    description: textOf(component, "description"),
    location: textOf(component, "location"),
    start: written(start),
    end: written(endOf(start, length)),
    allDay: start.isDate,
    status: textOf(component, "status")?.toLowerCase() ?? null,
    organizer: peopleOf(component, "organizer")[0] ?? null,
    attendees: peopleOf(component, "attendee"),
    url: textOf(component, "url"),
    sequence: sequenceOf(component),
    recurrence: repeats(entry) ? recurrenceOf(entry) : null,
  };
}

function recurrenceOf({ main: { component }, overrides, clocks }: Entry): CalendarEntryPayload["recurrence"] {
  const rules = component.getAllProperties("rrule").map((property) => String(property.getFirstValue()));
  const count = (name: string) => momentsOf(component, name, clocks).length;
  return { rules, dates: count("rdate"), exceptions: count("exdate"), overrides: overrides.length };
}

function textOf(component: ICAL.Component, name: string): string | null {
  const value = component.getFirstPropertyValue(name);
  return typeof value === "string" && value !== "" ? value.slice(0, MOST_TEXT) : null;
}

function sequenceOf(component: ICAL.Component): number {
  const sequence = Number(component.getFirstPropertyValue("sequence") ?? 0);
  return Number.isSafeInteger(sequence) ? sequence : 0;
}

function peopleOf(component: ICAL.Component, name: string): CalendarPerson[] {
  return component.getAllProperties(name).slice(0, MOST_ATTENDEES).flatMap((property) => {
    const value = property.getFirstValue();
    if (typeof value !== "string" || value === "") return [];
    const address = value.replace(/^mailto:/i, "");
    const parameter = (key: string) => property.getFirstParameter(key) || null;
    const lower = (key: string) => parameter(key)?.toLowerCase() ?? null;
    return [{ address, name: parameter("cn"), status: lower("partstat"), role: lower("role") }];
  });
}

function actorOf(component: ICAL.Component): Actor {
  const [organizer] = peopleOf(component, "organizer");
  if (organizer === undefined || organizer.address === "") return CALENDAR;
  return { type: "user", id: organizer.address, ...organizer.name === null ? {} : { name: organizer.name } };
}

function subjectOf(uid: string, name: string | null): PolledDraft["subject"] {
  return { type: "event", id: uid, ...name === null ? {} : { name } };
}

// A time of the future, or none, is no time at which this was done.
function changedAt({ main }: Entry, property: string, { now }: Place): Date {
  const time = main.component.getFirstPropertyValue(property);
  const at = time instanceof ICAL.Time && time.zone === ICAL.Timezone.utcTimezone ? time.toJSDate() : now;
  return at.getTime() > 0 && at <= now ? at : now;
}
