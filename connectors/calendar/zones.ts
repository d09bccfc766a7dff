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

/**
 * Finds zones by TZID: an IANA name (with a vendor's prefix, such as `/mozilla.org/20050126_1/Europe/Berlin`, or in
 * `X-LIC-LOCATION`), else by the calendar's VTIMEZONE, else `fallback`. The name goes first, since the VTIMEZONE that a
 * calendar brings along often covers few years.
 */
export function zonesOf(calendar: ICAL.Component, fallback: Zone): (tzid: string) => Zone {
  const found = new Map<string, Zone>();
  return (tzid) => {
    const zone = found.get(tzid) ?? namedZone(tzid) ?? ownZone(calendar, tzid) ?? fallback;
    found.set(tzid, zone);
    return zone;
  };
}

function namedZone(tzid: string): Zone | undefined {
  const parts = tzid.split("/");
  const names = tzid.startsWith("/") ? [parts.slice(-2).join("/"), parts.slice(-3).join("/")] : [tzid];
  return names.map(ianaZone).find((zone) => zone !== undefined);
}

function ownZone(calendar: ICAL.Component, tzid: string): Zone | undefined {
  const component = calendar.getAllSubcomponents("vtimezone")
    .find((timezone) => timezone.getFirstPropertyValue("tzid") === tzid);
  if (component === undefined) return undefined;
  const location = component.getFirstPropertyValue("x-lic-location");
  const named = typeof location === "string" ? ianaZone(location) : undefined;
  if (named !== undefined) return named;
  const timezone = new ICAL.Timezone(component);
  const offsetAt = (wall: number) => timezone.utcOffset(floatingTime(wall, false)) * 1000;
  return {
    name: tzid,
    instantOf: (wall) => wall - offsetAt(wall),
    wallOf: (instant) => instant + offsetAt(instant + offsetAt(instant)),
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
