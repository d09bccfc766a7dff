import ICAL from "ical.js";
import type { Moment } from "./entry.ts";
import { rulesOf, ruleStarts } from "./rules.ts";
import { DAY, ianaZone, wallOf, type Zone } from "./zones.ts";

/** A zone with more changes than these is told by the last of them, and none has a rule that takes so many steps. */
const MOST_OBSERVANCES = 200;
const MOST_STEPS = 1000;

const YEAR = 366 * DAY;

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
  const observances = component.getAllSubcomponents().slice(-MOST_OBSERVANCES).flatMap(observanceOf);
  return observances.length > 0 ? zoneOf(tzid, observances) : undefined;
}

/** STANDARD or DAYLIGHT of a VTIMEZONE (RFC 5545, section 3.6.5): when clocks change from one offset to another. */
interface Observance {
  readonly component: ICAL.Component;
  readonly start: Moment;
  /** The offsets before and after the change, in milliseconds. */
  readonly from: number;
  readonly to: number;
}

interface Change {
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

function observanceOf(component: ICAL.Component): Observance[] {
  const start = component.getFirstPropertyValue("dtstart");
  const [from, to] = ["tzoffsetfrom", "tzoffsetto"].map((name) => component.getFirstPropertyValue(name));
  if (!(start instanceof ICAL.Time && from instanceof ICAL.UtcOffset && to instanceof ICAL.UtcOffset)) return [];
  const [before, after] = [from.toSeconds() * 1000, to.toSeconds() * 1000];
  return [{ component, start: momentOn(before, wallOf(start)), from: before, to: after }];
}

/** What a clock of one offset shows. */
function momentOn(offset: number, wall: number): Moment {
  const zone: Zone = { name: null, instantOf: (wall) => wall - offset, wallOf: (instant) => instant + offset };
  return { instant: wall - offset, zone, isDate: false, floating: false };
}

function zoneOf(name: string, observances: readonly Observance[]): Zone {
  const byYear = new Map<number, readonly Change[]>();
  const offsetAt = (instant: number) => {
    const year = Math.floor(instant / YEAR);
    const changes = byYear.get(year) ?? changesAround(year * YEAR, observances);
    byYear.set(year, changes);
    return changes.findLast(({ at }) => at <= instant)?.to ?? changes[0]?.from ?? 0;
  };
  return {
    name,
    instantOf(wall) {
      const [before, after] = [offsetAt(wall - DAY), offsetAt(wall + DAY)];
      const isBefore = before === after || offsetAt(wall - before) === before || offsetAt(wall - after) !== after;
      return wall - (isBefore ? before : after);
    },
    wallOf: (instant) => instant + offsetAt(instant),
  };
}

/** The changes of the year from an instant on and some before it, at least the last one, by time. */
function changesAround(instant: number, observances: readonly Observance[]): Change[] {
  return observances.flatMap(({ component, start, from, to }) => {
    const rules = rulesOf(component).flatMap((rule) => {
      const last = rule.until === null ? instant : Math.min(instant, wallOf(rule.until));
      return [...ruleStarts(rule, start, last - 2 * YEAR, instant + YEAR, MOST_STEPS)];
    });
    const dates = component.getAllProperties("rdate").flatMap((property) => property.getValues())
      .flatMap((date: unknown) => date instanceof ICAL.Time ? [momentOn(from, wallOf(date))] : []);
    return [start, ...dates, ...rules].map(({ instant }) => ({ at: instant, from, to }));
  }).sort((a, b) => a.at - b.at);
}
