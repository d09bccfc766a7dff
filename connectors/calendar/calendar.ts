import ICAL from "ical.js";
import { createHash } from "node:crypto";
import { PollError } from "../kit/mod.ts";
import { type Clocks, type Version, versionOf } from "./entry.ts";
import type { Pause } from "./pauses.ts";
import { rulesOf } from "./rules.ts";
import { zonesOf } from "./timezones.ts";
import type { Zone } from "./zones.ts";

/** All that a calendar has under one UID: an entry, with the occurrences that have properties of their own. */
export interface Entry {
  readonly uid: string;
  /** The entry itself, or the first of its occurrences where the calendar has only some (an invitation to one). */
  readonly main: Version;
  readonly overrides: readonly Version[];
  readonly clocks: Clocks;
  /** Differs where what people see of it differs. */
  readonly fingerprint: string;
}

/** A calendar as it was read. */
export interface ParsedCalendar {
  readonly name: string | null;
  readonly entries: readonly Entry[];
  /** UIDs of entries that are there but cannot be read: of these nothing is said. */
  readonly unreadable: ReadonlySet<string>;
}

// Set anew each time by servers that write a feed on request, or seen by nobody.
const UNSEEN = new Set(["dtstamp", "last-modified", "created"]);
const NO_CALENDAR = "is not iCalendar (it does not begin with BEGIN:VCALENDAR)";

/** The text is not a whole calendar. */
export class UnreadableCalendarError extends PollError {}

/**
 * Reads iCalendar text, RFC 5545. An entry that cannot be read does not hold up the others.
 *
 * @param floating The zone of times without one.
 * @throws {UnreadableCalendarError} if it is not a whole calendar
 */
export async function parseCalendar(text: string, floating: Zone, pause: Pause): Promise<ParsedCalendar> {
  const unreadable = new Set<string>();
  const calendars = await calendarsIn(text, unreadable, pause);
  const components = calendars.flatMap((calendar) => {
    const clocks = { zoneOf: zonesOf(calendar, floating), floating };
    return calendar.getAllSubcomponents("vevent").map((component) => ({ component, clocks }));
  });
  const byUid = Map.groupBy(components, ({ component }) => uidOf(component));
  const entries: Entry[] = [];
  for (const [uid, own] of byUid) {
    await pause();
    if (unreadable.has(uid)) continue; // One of its occurrences was left out.
    try {
      entries.push(entryOf(uid, own));
    } catch {
      unreadable.add(uid);
    }
  }
  const name = calendars[0]?.getFirstPropertyValue("x-wr-calname") ?? calendars[0]?.getFirstPropertyValue("name");
  return { name: typeof name === "string" && name !== "" ? name : null, entries, unreadable };
}

// Lines end with a line feed, as for the library, and not with whatever else JavaScript takes for an end.
const ENTRY = /(?<![^\n])BEGIN:VEVENT\r?\n[^]*?\nEND:VEVENT(?=\r?\n|$)/gi;
const ENTRY_END = /\nEND:VEVENT(?=\r?\n|$)/gi;

/** Reads entry by entry: the library would hold the thread for all of them, and give up all for one. */
async function calendarsIn(text: string, unreadable: Set<string>, pause: Pause): Promise<ICAL.Component[]> {
  const trimmed = text.trim();
  if (!/^BEGIN:VCALENDAR/i.test(trimmed)) {
    const what = /^<(?:!doctype html|html)/i.test(trimmed) ? "is a web page, perhaps to log in" : NO_CALENDAR;
    throw new UnreadableCalendarError(`Cannot read the calendar: the answer ${what}. Check the address`);
  }
  if (!/END:VCALENDAR$/i.test(trimmed)) {
    throw new UnreadableCalendarError("Cannot read the calendar: the answer ends in its middle");
  }
  // From each of many that do not end, the end would be looked for in all the rest.
  const ends = [...trimmed.matchAll(ENTRY_END)].map(({ index, 0: { length } }) => index + length);
  const ended = ends.at(-1) ?? 0;
  const entries: string[] = [];
  // What stands for an entry meanwhile. A calendar that could name it might have one entry read thousands of times.
  const place = `x-${crypto.randomUUID()}`;
  const frame = trimmed.slice(0, ended).replaceAll(ENTRY, (entry) => `${place}:${entries.push(entry) - 1}`);
  const calendars = componentsIn(frame + trimmed.slice(ended));
  for (const calendar of calendars) {
    for (const property of calendar.getAllProperties(place)) {
      await pause();
      addEntry(calendar, entries[Number(property.getFirstValue())] ?? "", unreadable);
    }
  }
  return calendars;
}

function addEntry(calendar: ICAL.Component, text: string, unreadable: Set<string>): void {
  try {
    for (const component of componentsOf(text)) calendar.addSubcomponent(component);
  } catch {
    const unfolded = text.replaceAll(/\r?\n[ \t]/g, "");
    unreadable.add(/^UID[^:\r\n]*:(.*?)\r?$/im.exec(unfolded)?.[1] ?? "");
  }
}

function componentsIn(text: string): ICAL.Component[] {
  try {
    return componentsOf(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : "";
    throw new UnreadableCalendarError(`Cannot read the calendar: it is not what RFC 5545 allows (${reason})`);
  }
}

function componentsOf(text: string): ICAL.Component[] {
  const parsed: unknown = ICAL.parse(text);
  const roots: unknown[] = Array.isArray(parsed) && Array.isArray(parsed[0]) ? parsed : [parsed];
  return roots.flatMap((root) => Array.isArray(root) ? [new ICAL.Component(root)] : []);
}

// Without a UID, RFC 5545 notwithstanding, an entry is known by what it says: one that changes is another. So is one with
// the only UID that no record of what is known can have as a key: it would be new at each poll.
function uidOf(component: ICAL.Component): string {
  const uid = component.getFirstPropertyValue("uid");
  const isKey = typeof uid === "string" && uid !== "" && uid !== "__proto__";
  return isKey ? uid : `without-uid-${fingerprintOf([component])}`;
}

function entryOf(uid: string, components: readonly { component: ICAL.Component; clocks: Clocks }[]): Entry {
  const versions = components.map(({ component, clocks }) => {
    // The library reads values when they are first asked for, and rules again when they are copied: a malformed one is to
    // be found here and not later.
    for (const property of component.getAllProperties()) property.getValues();
    for (const rule of rulesOf(component)) rule.clone();
    return versionOf(component, clocks);
  });
  const overrides = versions.filter(({ recurrenceId }) => recurrenceId !== null)
    .sort((a, b) => Number(a.recurrenceId) - Number(b.recurrenceId));
  const main = versions.find(({ recurrenceId }) => recurrenceId === null) ?? overrides[0];
  const clocks = components[0]?.clocks;
  if (main === undefined || clocks === undefined) throw new Error("Cannot read an entry: it is empty");
  return { uid, main, overrides, clocks, fingerprint: fingerprintOf(components.map(({ component }) => component)) };
}

function fingerprintOf(components: readonly ICAL.Component[]): string {
  const lines = components.map((component) =>
    component.getAllProperties().filter(({ name }) => !UNSEEN.has(name) && !name.startsWith("x-"))
      .map((property) => JSON.stringify(property.toJSON())).sort().join("\n")
  );
  return createHash("sha256").update(lines.sort().join("\n\n")).digest("base64url").slice(0, 16);
}
