import ICAL from "ical.js";
import type { Moment } from "./entry.ts";
import { DAY, floatingTime, wallOf } from "./zones.ts";

/** How many times a rule is asked before it is given up: rules that never match would be asked for ever. */
export const MOST_STEPS = 5000;

/** How far at once what repeats so may be skipped ahead, in milliseconds; months and years have no one length. */
const UNITS: Readonly<Record<string, number>> = {
  SECONDLY: 1000,
  MINUTELY: 60_000,
  HOURLY: 3_600_000,
  DAILY: DAY,
  WEEKLY: 7 * DAY,
};

/** RFC 5545, 3.8.5.3, wants one rule at most: more than these are not followed. */
const MOST_RULES = 4;

/** The rules of an entry, or of a zone's change. */
export function rulesOf(component: ICAL.Component): ICAL.Recur[] {
  return component.getAllProperties("rrule").slice(0, MOST_RULES).flatMap((property) => {
    const rule = property.getFirstValue();
    return rule instanceof ICAL.Recur ? [rule] : [];
  });
}

/** What a rule counts to its end is followed so far, in milliseconds since the epoch. */
const FAR = Date.UTC(2200, 0, 1);

/** When what a rule counts to its end starts, or, where that is known at once, when it ends at the latest. */
export function countedStarts(rule: ICAL.Recur, start: Moment): number[] {
  const perInterval = evenly(rule);
  if (UNITS[rule.freq] !== undefined && perInterval > 0 && rule.count !== null) {
    return [start.instant + Math.ceil(rule.count / perInterval) * intervalOf(rule)];
  }
  return [...ruleStarts(rule, start, start.instant, FAR)].map(({ instant }) => instant);
}

/**
 * What a rule gives between two instants and a little around them, on the clock of `start`. A rule that runs away (every
 * second, or never) is given up after `most` tries.
 */
export function* ruleStarts(
  rule: ICAL.Recur,
  start: Moment,
  from: number,
  to: number,
  most: number = MOST_STEPS,
): Generator<Moment> {
  const first = start.zone.wallOf(start.instant);
  const ahead = skipped(rule, first, from);
  const last = start.zone.wallOf(to) + DAY;
  const bounded = rule.clone();
  // We compare with the end ourselves: the library would take the times of a zone that it does not know for UTC.
  bounded.until = floatingTime(last, false);
  if (rule.count !== null) {
    const left = rule.count - ahead / intervalOf(rule);
    if (left <= 0) return;
    bounded.count = left;
  }
  // The library counts the days of an interval one by one: what is behind the end need not be reached exactly.
  const unit = UNITS[rule.freq];
  const mostUnits = unit === undefined ? rule.interval : Math.ceil(Math.max(0, last - first - ahead) / unit) + 2;
  bounded.interval = Math.min(rule.interval, mostUnits);
  try {
    const iterator = bounded.iterator(floatingTime(first + ahead, start.isDate));
    let steps = 0;
    const matches = iterator.check_contracting_rules.bind(iterator);
    // The library looks for the next match without an end, where a rule has none. This is its one call on each try.
    iterator.check_contracting_rules = () => {
      if (++steps > most || wallOf(iterator.last) > last) {
        throw new RangeError("Cannot follow a rule: it has no match in reach");
      }
      return matches();
    };
    for (let time = iterator.next(); time && steps <= most; time = iterator.next()) {
      steps++;
      const wall = wallOf(time);
      const instant = start.zone.instantOf(wall);
      if (instant > to || isPast(rule.until, wall, instant)) return;
      if (isMeant(rule, time, new Date(first))) yield { ...start, instant };
    }
  } catch (error) {
    // The library throws plain errors on parts that contradict each other: then there are no more.
    if (!(error instanceof Error)) throw error;
  }
}

/** How far to go ahead by whole intervals so as to come shortly before `from`. */
function skipped(rule: ICAL.Recur, first: number, from: number): number {
  if (UNITS[rule.freq] === undefined) return rule.count === null ? yearsAhead(rule, first, from) : 0;
  // What is counted can be skipped where it is known how much that is.
  if (rule.count !== null && evenly(rule) !== 1) return 0;
  const interval = intervalOf(rule);
  return Math.max(0, Math.floor((from - first - interval - 2 * DAY) / interval)) * interval;
}

/** Whole intervals of months or years, in years that have the same days: by fours, for the sake of 29 February. */
function yearsAhead({ interval }: ICAL.Recur, first: number, from: number): number {
  const start = new Date(first);
  const years = 4 * Math.max(1, interval);
  const steps = Math.max(0, Math.floor((from - first) / (years * 366 * DAY)));
  return start.setUTCFullYear(start.getUTCFullYear() + steps * years) - first;
}

function intervalOf(rule: ICAL.Recur): number {
  return Math.max(1, rule.interval) * (UNITS[rule.freq] ?? DAY);
}

/** How many occurrences each interval has, if all have as many; else 0. */
function evenly({ freq, parts }: ICAL.Recur): number {
  const names = Object.keys(parts);
  if (names.length === 0) return 1;
  return freq === "WEEKLY" && names.length === 1 ? parts.BYDAY?.length ?? 0 : 0;
}

function isPast(until: ICAL.Time | null, wall: number, instant: number): boolean {
  if (until === null) return false;
  if (until.isDate) return Math.floor(wall / DAY) * DAY > wallOf(until);
  return (until.zone === ICAL.Timezone.utcTimezone ? instant : wall) > wallOf(until);
}

/**
 * Whether a rule means what the library gives: it takes 30 February for 2 March, where RFC 5545, 3.3.10, leaves such dates
 * out, and forgets the interval where months are named, and the weeks of the year.
 */
function isMeant({ freq, interval, parts, wkst }: ICAL.Recur, time: ICAL.Time, first: Date): boolean {
  const { year, month, day } = time;
  const { BYMONTH, BYMONTHDAY, BYWEEKNO } = parts;
  if (BYMONTH !== undefined && !BYMONTH.includes(month)) return false;
  if (BYWEEKNO !== undefined && !BYWEEKNO.includes(time.weekNumber(wkst))) return false;
  const months = (year - first.getUTCFullYear()) * 12 + month - 1 - first.getUTCMonth();
  if (freq === "MONTHLY" && months % interval !== 0) return false;
  if (freq === "YEARLY" && Object.keys(parts).every((part) => part === "BYMONTH")) return day === first.getUTCDate();
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return BYMONTHDAY === undefined || BYMONTHDAY.some((on) => on === day || on < 0 && days + 1 + on === day);
}
