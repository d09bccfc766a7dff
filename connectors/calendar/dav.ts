import { type Entry, parseCalendar, UnreadableCalendarError } from "./calendar.ts";
import { judge } from "./changes.ts";
import type { CalendarState } from "./cursor.ts";
import { changesSince, listEntries, readEntries, readEntriesBetween } from "./dav_requests.ts";
import type { DavResource } from "./dav_xml.ts";
import type { Place } from "./drafts.ts";
import type { Ask } from "./http.ts";
import { timesFrom, timesOf, timesWanted } from "./times.ts";
import { isDue, Ledger, PAGE, type Visit, type Visiting } from "./visit.ts";
import { DAY } from "./zones.ts";

const BATCH = 50;

/** Which entries to look at, and the token that stands for what the calendar holds then. */
interface Agenda {
  /** Paths, those with a known ETag left out. */
  readonly look: readonly string[];
  /** Paths of which the server says that they are gone. */
  readonly gone: readonly string[];
  readonly tokens: Pick<CalendarState, "syncToken" | "ctag">;
}

/**
 * Looks at one calendar of a CalDAV server.
 *
 * @throws {PollError} if it cannot be read
 */
export async function visitDav(calendar: DavResource, ask: Ask, visiting: Visiting): Promise<Visit> {
  const { state, config, now } = visiting;
  const place = { scope: calendar.url.pathname, name: calendar.name, now };
  const changed = state === null || !isUnchanged(calendar, state);
  const ledger = new Ledger(visiting, place);
  let tokens = tokensOf(calendar);
  if (changed && config.changes) {
    const agenda = await agendaOf(calendar, ask, ledger, visiting);
    tokens = agenda.tokens;
    if (!await work(agenda, calendar, ask, ledger, visiting)) {
      const from = timesFrom(state?.until ?? now.getTime(), now, config);
      const { syncToken, ctag } = state ?? {};
      const old = { ...syncToken === undefined ? {} : { syncToken }, ...ctag === undefined ? {} : { ctag } };
      // The old token stays until all that came since is told.
      return {
        drafts: ledger.drafts,
        state: { until: from, next: now.getTime(), ...ledger.written(), ...old },
        more: true,
      };
    }
  }
  const written = config.changes ? ledger.written() : { known: null, revision: 0 };
  const times = await timesIn(calendar, ask, visiting, place, changed);
  const { until, next } = times;
  return {
    drafts: [...ledger.drafts, ...times.drafts],
    state: { until, next, ...written, ...tokens },
    more: times.more,
  };
}

function isUnchanged({ syncToken, ctag }: DavResource, state: CalendarState): boolean {
  if (syncToken !== null || state.syncToken !== undefined) return syncToken === state.syncToken;
  return ctag !== null && ctag === state.ctag;
}

function tokensOf({ syncToken, ctag }: DavResource): Agenda["tokens"] {
  return { ...syncToken === null ? {} : { syncToken }, ...ctag === null ? {} : { ctag } };
}

async function agendaOf(calendar: DavResource, ask: Ask, ledger: Ledger, visiting: Visiting): Promise<Agenda> {
  const isNew = ({ url, etag }: DavResource) => ledger.get(url.pathname)?.e !== etag;
  const token = visiting.state?.syncToken;
  const synced = token === undefined ? undefined : await changesSince(ask, calendar.url, token);
  if (synced !== undefined) {
    return {
      look: pathsOf(synced.changed.filter(isNew)),
      gone: pathsOf(synced.removed),
      tokens: { ...tokensOf(calendar), syncToken: synced.syncToken },
    };
  }
  // A day more, for the server may see floating times and dates in another zone.
  const listed = await listEntries(ask, calendar.url, new Date(ledger.judging.watchedFrom - DAY));
  const there = new Set(pathsOf(listed));
  // What is not listed may be gone, or only out of the range: reading it tells.
  const missing = ledger.keys().filter((path) => !there.has(path));
  return { look: [...pathsOf(listed.filter(isNew)), ...missing].sort(), gone: [], tokens: tokensOf(calendar) };
}

/** Goes through what there is to look at. False if the page is full before the end. */
async function work(
  agenda: Agenda,
  calendar: DavResource,
  ask: Ask,
  ledger: Ledger,
  visiting: Visiting,
): Promise<boolean> {
  for (const path of agenda.gone) {
    if (ledger.isFull) return false;
    ledger.recordGone(path);
  }
  for (let at = 0; at < agenda.look.length; at += BATCH) {
    if (ledger.isFull) return false;
    for (const resource of await readEntries(ask, calendar.url, agenda.look.slice(at, at + BATCH))) {
      const path = resource.url.pathname;
      if (resource.status === 404) ledger.recordGone(path);
      const [entry] = await entriesIn(resource, visiting);
      if (entry === undefined) continue;
      ledger.record(path, judge(entry, ledger.get(path), resource.etag ?? undefined, ledger.judging));
    }
  }
  return true;
}

async function timesIn(
  calendar: DavResource,
  ask: Ask,
  visiting: Visiting,
  place: Place,
  changed: boolean,
): Promise<Omit<Visit, "state"> & Pick<CalendarState, "until" | "next">> {
  const { state, config, now, pause } = visiting;
  const until = Math.max(state?.until ?? 0, now.getTime());
  if (!timesWanted(config)) return { drafts: [], until, next: null, more: false };
  if (state !== null && !changed && !isDue(visiting)) return { drafts: [], until, next: state.next, more: false };
  const from = timesFrom(state?.until ?? now.getTime(), now, config);
  const end = new Date(now.getTime() + (config.lookAheadDays + 1) * DAY);
  const resources = await readEntriesBetween(ask, calendar.url, new Date(from - DAY), end);
  const entries: Entry[] = [];
  for (const resource of resources) entries.push(...await entriesIn(resource, visiting));
  return await timesOf(entries, { from, place, config, most: PAGE, pause });
}

// One resource is one entry (RFC 4791, 4.1). One that cannot be read is left as it was known.
async function entriesIn({ data }: DavResource, { floating, pause }: Visiting): Promise<readonly Entry[]> {
  if (data === null) return [];
  try {
    return (await parseCalendar(data, floating, pause)).entries;
  } catch (error) {
    if (error instanceof UnreadableCalendarError) return [];
    throw error;
  }
}

function pathsOf(resources: readonly DavResource[]): string[] {
  return resources.map(({ url }) => url.pathname);
}
