import { PollError } from "../kit/mod.ts";
import { type DavResource, escapeXml, type Multistatus, parseMultistatus } from "./dav_xml.ts";
import { type Ask, type CalendarAnswer, expectSuccess } from "./http.ts";

const NAMESPACES = 'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:S="http://calendarserver.org/ns/"';
const CALENDAR_PROPERTIES = "<D:resourcetype/><D:displayname/><S:getctag/><D:sync-token/><C:calendar-home-set/>" +
  "<D:current-user-principal/><C:supported-calendar-component-set/>";
const MOST_ROUNDS = 1000;

/** Changes of a collection since a sync-token. */
export interface SyncedChanges {
  /** Paths of resources that were added or changed. */
  readonly changed: readonly DavResource[];
  /** Paths of those that were removed. */
  readonly removed: readonly DavResource[];
  readonly syncToken: string;
}

/**
 * Finds the calendars at an address: it itself, or those of the account whose address it is (RFC 4791 section 6.2.1,
 * RFC 5397).
 *
 * @throws {PollError} if there is none, or the server does not let us see it
 */
export async function findCalendars(ask: Ask, url: URL): Promise<DavResource[]> {
  const [self] = await propfind(ask, url, "0");
  if (self?.isCalendar) return [self];
  const [principal] = self?.home || !self?.principal ? [] : await propfind(ask, self.principal, "0");
  const home = self?.home ?? principal?.home ?? url;
  const calendars = (await propfind(ask, home, "1")).filter(({ isCalendar }) => isCalendar);
  if (calendars.length > 0) return calendars;
  throw new PollError("Cannot read the calendar: there is none at this address. Copy it from your calendar program");
}

/**
 * Asks what changed since a sync-token, RFC 6578, as often as the server cuts its answer off.
 *
 * @returns nothing if the server does not know the token (any more)
 * @throws {PollError} if the server cannot be asked
 */
export async function changesSince(ask: Ask, calendar: URL, token: string): Promise<SyncedChanges | undefined> {
  const latest = new Map<string, DavResource>();
  let syncToken = token;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const answer = await report(
      ask,
      calendar,
      "0",
      `<D:sync-collection ${NAMESPACES}><D:sync-token>${escapeXml(syncToken)}</D:sync-token>` +
        "<D:sync-level>1</D:sync-level><D:prop><D:getetag/></D:prop></D:sync-collection>",
    );
    if (answer.status !== 401 && answer.status >= 400 && answer.status < 500) return undefined;
    const { resources, syncToken: next } = multistatusIn(answer);
    const truncated = resources.some(({ status, url }) => status === 507 && url.pathname === answer.url.pathname);
    for (const resource of resources) {
      if (resource.url.pathname !== answer.url.pathname) latest.set(resource.url.pathname, resource);
    }
    if (next === null || truncated && next === syncToken) break;
    syncToken = next;
    if (!truncated) return { ...partedByStatus([...latest.values()]), syncToken };
  }
  throw new PollError("Cannot read the calendar: the server does not come to the end of its changes");
}

// Another status than 404 says that the server could not tell, not that the entry is gone.
function partedByStatus(resources: readonly DavResource[]): Pick<SyncedChanges, "changed" | "removed"> {
  return {
    changed: resources.filter(({ status, etag }) => (status === null || status < 300) && etag !== null),
    removed: resources.filter(({ status }) => status === 404),
  };
}

/** Lists the entries of a calendar that take place after `since`, in part at least: paths and ETags. */
export async function listEntries(ask: Ask, calendar: URL, since: Date): Promise<DavResource[]> {
  return await query(ask, calendar, "<D:getetag/>", `start="${compact(since)}"`);
}

/** Reads the entries of a calendar that take place in a time, in part at least. */
export async function readEntriesBetween(ask: Ask, calendar: URL, from: Date, to: Date): Promise<DavResource[]> {
  const range = `start="${compact(from)}" end="${compact(to)}"`;
  return await query(ask, calendar, "<D:getetag/><C:calendar-data/>", range);
}

/** Reads entries by their paths. One that is gone has the status 404. */
export async function readEntries(ask: Ask, calendar: URL, paths: readonly string[]): Promise<DavResource[]> {
  if (paths.length === 0) return [];
  const hrefs = paths.map((path) => `<D:href>${escapeXml(path)}</D:href>`).join("");
  const body = `<C:calendar-multiget ${NAMESPACES}><D:prop><D:getetag/><C:calendar-data/></D:prop>${hrefs}` +
    "</C:calendar-multiget>";
  return [...multistatusIn(await report(ask, calendar, "1", body)).resources];
}

async function query(ask: Ask, calendar: URL, properties: string, range: string): Promise<DavResource[]> {
  const body = `<C:calendar-query ${NAMESPACES}><D:prop>${properties}</D:prop><C:filter>` +
    `<C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT"><C:time-range ${range}/></C:comp-filter>` +
    "</C:comp-filter></C:filter></C:calendar-query>";
  const { resources } = multistatusIn(await report(ask, calendar, "1", body));
  if (resources.some(({ status }) => status === 507)) {
    throw new PollError("Cannot read the calendar: it has more entries than its server lists at once");
  }
  return resources.filter(({ status }) => status === null || status === 200);
}

async function propfind(ask: Ask, url: URL, depth: string): Promise<readonly DavResource[]> {
  const body = `<D:propfind ${NAMESPACES}><D:prop>${CALENDAR_PROPERTIES}</D:prop></D:propfind>`;
  return multistatusIn(await ask(url, { method: "PROPFIND", headers: headersOf(depth), body: xml(body) })).resources;
}

async function report(ask: Ask, url: URL, depth: string, body: string): Promise<CalendarAnswer> {
  return await ask(url, { method: "REPORT", headers: headersOf(depth), body: xml(body) });
}

function multistatusIn(answer: CalendarAnswer): Multistatus {
  expectSuccess(answer);
  return parseMultistatus(answer.text, answer.url);
}

const headersOf = (depth: string) => ({ depth, "content-type": "application/xml; charset=utf-8" });
const xml = (body: string) => `<?xml version="1.0" encoding="utf-8"?>${body}`;
const compact = (date: Date) => date.toISOString().replace(/[-:]|\.\d+/g, "");
