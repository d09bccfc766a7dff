import type { Entry } from "./calendar.ts";
import { endOf, type Moment, momentsOf, periodsOf, type Version } from "./entry.ts";
import { countedStarts, MOST_STEPS, rulesOf, ruleStarts } from "./rules.ts";
import { DAY, wallOf } from "./zones.ts";

/** One time that an entry takes place. */
export interface Occurrence {
  readonly version: Version;
  readonly start: Moment;
  readonly end: Moment;
  /** When the entry's rule has it; `null` for what does not repeat. */
  readonly recurrenceId: number | null;
}

/** Whether an entry takes place more than once. */
export function repeats({ main: { component }, overrides }: Entry): boolean {
  return overrides.length > 0 || component.hasProperty("rrule") || component.hasProperty("rdate");
}

/**
 * The occurrences of an entry that take place in part between two instants (both included), cancelled ones aside. A rule
 * that runs away (every second, or never) is given up after a bounded time, with those found until then.
 */
export function occurrencesOf(entry: Entry, from: number, to: number): Occurrence[] {
  const { main, overrides } = entry;
  const several = repeats(entry);
  const own = new Set(overrides.map(({ recurrenceId }) => recurrenceId));
  const periods = periodsOf(main.component, entry.clocks);
  const future = overrides.filter(({ andFuture }) => andFuture);
  const found = overrides.map((version) => occurrence(version, version.start, version.recurrenceId));
  if (main.recurrenceId === null && !main.cancelled) {
    for (const start of startsOf(entry, from, to)) {
      if (own.has(start.instant)) continue;
      const ranged = future.findLast(({ recurrenceId }) => recurrenceId !== null && recurrenceId < start.instant);
      const [version, moved] = ranged === undefined
        ? [{ ...main, length: periods.get(start.instant) ?? main.length }, start]
        : [ranged, shifted(start, ranged)];
      found.push(occurrence(version, moved, several ? start.instant : null));
    }
  }
  return found.filter(({ version, start, end }) => !version.cancelled && start.instant <= to && end.instant >= from);
}

/** When the last occurrence ends, or somewhat later; `null` if never, or not within reach. */
export function lastEnd(entry: Entry): number | null {
  const { main: { component, start, length } } = entry;
  const rules = rulesOf(component);
  if (rules.some(({ until, count }) => until === null && count === null)) return null;
  const starts = [start.instant, ...momentsOf(component, "rdate", entry.clocks).map(({ instant }) => instant)];
  for (const rule of rules) {
    if (rule.until !== null) starts.push(wallOf(rule.until) + 2 * DAY);
    else starts.push(...countedStarts(rule, start));
  }
  if (starts.length > MOST_STEPS) return null;
  const periods = periodsOf(component, entry.clocks);
  const lengthFrom = (instant: number) => periods.get(instant) ?? length;
  const ends = entry.overrides.map(({ start, length }) => endOf(start, length).instant);
  return most([...ends, ...starts.map((instant) => endOf({ ...start, instant }, lengthFrom(instant)).instant)]);
}

/** The greatest of them: a call has no room for as many arguments as a calendar may have entries. */
function most(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => Math.max(one, other), -Infinity);
}

function occurrence(version: Version, start: Moment, recurrenceId: number | null): Occurrence {
  return { version, start, end: endOf(start, version.length), recurrenceId };
}

function shifted(start: Moment, { start: moved, recurrenceId }: Version): Moment {
  return { ...moved, instant: start.instant + moved.instant - Number(recurrenceId) };
}

function startsOf({ main, clocks, overrides }: Entry, from: number, to: number): Moment[] {
  const { component, start, length } = main;
  // A moved or longer occurrence reaches further than the entry itself.
  const reach = most([length.days * DAY + length.ms, ...overrides.map((version) => reachOf(version))]) + 2 * DAY;
  const excluded = momentsOf(component, "exdate", clocks);
  const instants = new Set(excluded.filter(({ isDate }) => !isDate || start.isDate).map(({ instant }) => instant));
  // Some calendars take out the whole day of an occurrence that has a time.
  const days = new Set(excluded.filter(({ isDate }) => isDate && !start.isDate).map(dayOf));
  const starts = new Map([start, ...momentsOf(component, "rdate", clocks)].map((moment) => [moment.instant, moment]));
  for (const rule of rulesOf(component)) {
    for (const moment of ruleStarts(rule, start, from - reach, to + reach)) starts.set(moment.instant, moment);
  }
  return [...starts.values()].filter((moment) => !instants.has(moment.instant) && !days.has(dayOf(moment)));
}

function reachOf({ start, length, recurrenceId, andFuture }: Version): number {
  return andFuture ? length.days * DAY + length.ms + Math.abs(start.instant - Number(recurrenceId)) : 0;
}

function dayOf({ zone, instant }: Moment): number {
  return Math.floor(zone.wallOf(instant) / DAY);
}
