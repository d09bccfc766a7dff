import type { CalendarMoment } from "@inlet/calendar-events";
import ICAL from "ical.js";
import { DAY, utc, wallOf, type Zone } from "./zones.ts";

/** A moment of a calendar, on the clock that the calendar shows. */
export interface Moment {
  /** Milliseconds since the epoch. */
  readonly instant: number;
  readonly zone: Zone;
  /** Whether it is a date: its instant is the midnight with which that begins. */
  readonly isDate: boolean;
  /** Whether the calendar names no zone. */
  readonly floating: boolean;
}

/** How long an entry lasts: days on the calendar and then milliseconds, since a day is not always 24 hours. */
export interface Length {
  readonly days: number;
  readonly ms: number;
  /** Whose clock the end is told by. */
  readonly zone: Zone;
}

/** One VEVENT: an entry, or an occurrence of one with properties of its own. */
export interface Version {
  readonly component: ICAL.Component;
  readonly start: Moment;
  readonly length: Length;
  /** The occurrence that this is about; `null` for the entry itself. */
  readonly recurrenceId: number | null;
  /** Whether it is also about all later occurrences. */
  readonly andFuture: boolean;
  readonly cancelled: boolean;
}

/** How the moments of a calendar are read. */
export interface Clocks {
  zoneOf(tzid: string): Zone;
  /** Of floating times and dates. */
  readonly floating: Zone;
}

/** RFC 3339 has four digits for the year: what ends later can be told neither by UTC nor by its own clock. */
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Reads a time of a property. */
export function momentOf(property: ICAL.Property, time: ICAL.Time, clocks: Clocks): Moment {
  const tzid = property.getFirstParameter("tzid");
  const isUtc = time.zone === ICAL.Timezone.utcTimezone;
  const floating = time.isDate || !isUtc && !tzid;
  const zone = isUtc ? utc : floating ? clocks.floating : clocks.zoneOf(tzid);
  return { instant: zone.instantOf(wallOf(time)), zone, isDate: time.isDate, floating };
}

/** The moments of all properties with a name, such as EXDATE. Of periods, the start. */
export function momentsOf(component: ICAL.Component, name: string, clocks: Clocks): Moment[] {
  return component.getAllProperties(name).flatMap((property) => {
    const values: unknown[] = property.getValues();
    return values.flatMap((value) => {
      const time = value instanceof ICAL.Period ? value.start : value;
      return time instanceof ICAL.Time ? [momentOf(property, time, clocks)] : [];
    });
  });
}

/**
 * Reads a VEVENT.
 *
 * @throws {Error} if it has no start that can be read, or an end that cannot be told
 */
export function versionOf(component: ICAL.Component, clocks: Clocks): Version {
  const [start] = momentsOf(component, "dtstart", clocks);
  if (start === undefined || !Number.isFinite(start.instant)) {
    throw new Error("Cannot read an entry: its DTSTART is missing");
  }
  const length = lengthOf(component, start, clocks);
  // First how long: what is longer than all time has an end that cannot even be worked out.
  const isLong = ({ days, ms }: Length) => days * DAY + ms > LAST;
  if (isLong(length) || periodsOf(component, clocks).values().some(isLong) || isLate(endOf(start, length))) {
    throw new Error("Cannot read an entry: its end is out of range");
  }
  const [recurrenceId] = momentsOf(component, "recurrence-id", clocks);
  return {
    component,
    start,
    length,
    recurrenceId: recurrenceId?.instant ?? null,
    andFuture: component.getFirstProperty("recurrence-id")?.getFirstParameter("range") === "THISANDFUTURE",
    cancelled: String(component.getFirstPropertyValue("status") ?? "").toUpperCase() === "CANCELLED",
  };
}

/** How long the periods among a component's RDATEs last, by the instant of their start. */
export function periodsOf(component: ICAL.Component, clocks: Clocks): ReadonlyMap<number, Length> {
  const periods = component.getAllProperties("rdate").flatMap((property) => {
    const values: unknown[] = property.getValues();
    return values.flatMap((value) => {
      if (!(value instanceof ICAL.Period)) return [];
      const { instant, zone } = momentOf(property, value.start, clocks);
      const { end, duration } = value;
      const ms = end && Math.max(0, momentOf(property, end, clocks).instant - instant);
      return [[instant, ms === null ? lasting(duration, zone) : { days: 0, ms, zone }] as const];
    });
  });
  return new Map(periods);
}

function lasting({ weeks, days, hours, minutes, seconds }: ICAL.Duration, zone: Zone): Length {
  return { days: weeks * 7 + days, ms: ((hours * 60 + minutes) * 60 + seconds) * 1000, zone };
}

function isLate({ instant, zone }: Moment): boolean {
  return Math.max(instant, zone.wallOf(instant)) > LAST;
}

// RFC 5545, 3.6.1: without an end, a date lasts its day, and a time no time at all.
function lengthOf(component: ICAL.Component, start: Moment, clocks: Clocks): Length {
  const [end] = momentsOf(component, "dtend", clocks);
  if (end !== undefined && end.instant >= start.instant) {
    if (!start.isDate) return { days: 0, ms: end.instant - start.instant, zone: end.zone };
    const days = Math.round((end.instant - start.instant) / DAY);
    return { days: Math.max(1, days), ms: 0, zone: start.zone };
  }
  const duration = component.getFirstPropertyValue("duration");
  if (duration instanceof ICAL.Duration && !duration.isNegative) {
    return lasting(duration, start.zone);
  }
  return { days: start.isDate ? 1 : 0, ms: 0, zone: start.zone };
}

/** When what starts then and lasts so long ends. */
export function endOf(start: Moment, { days, ms, zone }: Length): Moment {
  const day = days === 0 ? start.instant : start.zone.instantOf(start.zone.wallOf(start.instant) + days * DAY);
  return { ...start, instant: day + ms, zone };
}

/** Writes a moment as payloads have it. */
export function written({ instant, zone, isDate, floating }: Moment): CalendarMoment {
  const wall = zone.wallOf(instant);
  const clock = new Date(wall).toISOString();
  const local = isDate ? clock.slice(0, 10) : `${clock.slice(0, 19)}${offset(wall - instant)}`;
  return { utc: new Date(instant).toISOString(), local, timeZone: zone.name, floating };
}

function offset(ms: number): string {
  if (ms === 0) return "Z";
  const minutes = Math.round(Math.abs(ms) / 60_000);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${ms < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
