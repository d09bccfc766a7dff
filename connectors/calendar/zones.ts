import ICAL from "ical.js";

/**
 * A time zone. A wall time is what a clock there shows, written as the milliseconds since 1970-01-01T00:00 on that clock.
 */
export interface Zone {
  /** IANA name, or the calendar's own; `null` for UTC. */
  readonly name: string | null;
  /** The instant of a wall time. In a gap the offset before it counts, of two instants the first (RFC 5545, 3.3.5). */
  instantOf(wall: number): number;
  wallOf(instant: number): number;
}

/** Milliseconds of a day of 24 hours. */
export const DAY = 86_400_000;

const UTC_NAMES = new Set(["UTC", "Etc/UTC", "GMT", "Etc/GMT", "Z"]);

/** Coordinated universal time. */
export const utc: Zone = { name: null, instantOf: (wall) => wall, wallOf: (instant) => instant };

/** The zone of an IANA name, or nothing if the platform's time zone database has none. */
export function ianaZone(name: string): Zone | undefined {
  if (UTC_NAMES.has(name)) return utc;
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
  } catch {
    return undefined;
  }
  return {
    name,
    instantOf: (wall) =>
      Temporal.PlainDateTime.from(new Date(wall).toISOString().slice(0, -1)).toZonedDateTime(name).epochMilliseconds,
    wallOf: (instant) =>
      instant + Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(name).offsetNanoseconds / 1e6,
  };
}

/** A wall time as the library's time without a zone. */
export function floatingTime(wall: number, isDate: boolean): ICAL.Time {
  const date = new Date(wall);
  return ICAL.Time.fromData({
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: isDate ? 0 : date.getUTCHours(),
    minute: isDate ? 0 : date.getUTCMinutes(),
    second: isDate ? 0 : date.getUTCSeconds(),
    isDate,
  });
}

/** What the library's time shows on its clock. */
export function wallOf(time: ICAL.Time): number {
  return Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute, time.second);
}
