import { type Entry, parseCalendar, type ParsedCalendar } from "./calendar.ts";
import { judge } from "./changes.ts";
import type { CalendarState } from "./cursor.ts";
import type { Place } from "./drafts.ts";
import { type Ask, expectSuccess } from "./http.ts";
import { timesFrom, timesOf, timesWanted } from "./times.ts";
import { isDue, Ledger, PAGE, type Visit, type Visiting } from "./visit.ts";

/**
 * Looks at an ICS feed. Where nothing is due, it is asked only for what has changed (ETag and Last-Modified, RFC 9110
 * section 13).
 *
 * @throws {PollError} if it cannot be read
 */
export async function visitFeed(url: URL, ask: Ask, visiting: Visiting): Promise<Visit> {
  const { state, config, now, floating, pause } = visiting;
  const headers = { accept: "text/calendar, */*;q=0.1", ...isDue(visiting) ? {} : conditions(state) };
  const answer = await ask(url, { method: "GET", headers });
  if (answer.status === 304 && state !== null) {
    return { drafts: [], state: { ...state, until: Math.max(state.until, now.getTime()) }, more: false };
  }
  expectSuccess(answer);
  const calendar = await parseCalendar(answer.text, floating, pause);
  const place = { scope: "", name: calendar.name, now };
  const { drafts, written, more } = await changesIn(calendar, place, visiting);
  const from = timesFrom(state?.until ?? now.getTime(), now, config);
  // Neither validators nor the time move on before all changes are told.
  if (more) return { drafts, state: { until: from, next: now.getTime(), ...written }, more };
  const validators = validatorsOf(answer.headers);
  if (!timesWanted(config)) {
    return { drafts, state: { until: now.getTime(), next: null, ...written, ...validators }, more };
  }
  const times = await timesOf(calendar.entries, { from, place, config, most: PAGE, pause });
  return {
    drafts: [...drafts, ...times.drafts],
    state: { until: times.until, next: times.next, ...written, ...validators },
    more: times.more,
  };
}

type Changes = Pick<Visit, "drafts" | "more"> & { readonly written: Pick<CalendarState, "known" | "revision"> };

async function changesIn(
  { entries, unreadable }: ParsedCalendar,
  place: Place,
  visiting: Visiting,
): Promise<Changes> {
  if (!visiting.config.changes) return { drafts: [], written: { known: null, revision: 0 }, more: false };
  const ledger = new Ledger(visiting, place);
  const byUid = new Map<string, Entry>(entries.map((entry) => [entry.uid, entry]));
  const keys = [...new Set([...byUid.keys(), ...ledger.keys()])].filter((key) => !unreadable.has(key)).sort();
  let more = false;
  for (const key of keys) {
    more = ledger.isFull;
    if (more) break;
    await visiting.pause();
    const entry = byUid.get(key);
    if (entry === undefined) ledger.recordGone(key);
    else ledger.record(key, withoutUid(judge(entry, ledger.get(key), undefined, ledger.judging)));
  }
  return { drafts: ledger.drafts, written: ledger.written(), more };
}

// The key says it already.
function withoutUid(judgement: ReturnType<typeof judge>): ReturnType<typeof judge> {
  if (judgement.known === undefined) return judgement;
  const { i: _uid, ...known } = judgement.known;
  return { ...judgement, known };
}

function conditions(state: CalendarState | null): Record<string, string> {
  return {
    ...state?.etag === undefined ? {} : { "if-none-match": state.etag },
    ...state?.lastModified === undefined ? {} : { "if-modified-since": state.lastModified },
  };
}

function validatorsOf(headers: Headers): Pick<CalendarState, "etag" | "lastModified"> {
  const etag = headers.get("etag");
  const lastModified = headers.get("last-modified");
  return { ...etag === null ? {} : { etag }, ...lastModified === null ? {} : { lastModified } };
}
