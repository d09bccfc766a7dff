import { createHash } from "node:crypto";
import type { Polled, PolledDraft } from "../kit/mod.ts";
import type { CalendarCursor, CalendarState } from "./cursor.ts";
import { visitDav } from "./dav.ts";
import { findCalendars } from "./dav_requests.ts";
import { visitFeed } from "./feed.ts";
import { askerOf } from "./http.ts";
import { pausesOf } from "./pauses.ts";
import { addressOf, type CalendarConfig, type CalendarSecrets } from "./settings.ts";
import { PAGE, type Visit } from "./visit.ts";
import { ianaZone, utc } from "./zones.ts";

/**
 * Asks a calendar, or an account's calendars, what happened since `cursor`. All of them must answer: the cursor has one
 * place for all.
 *
 * @throws {PollError} if one cannot be read
 */
export async function pollCalendar({ config, secrets, cursor, now, signal }: {
  readonly config: CalendarConfig;
  readonly secrets: CalendarSecrets;
  readonly cursor: CalendarCursor | null;
  readonly now: Date;
  readonly signal: AbortSignal;
}): Promise<Polled<CalendarCursor>> {
  const url = addressOf({ config, secrets });
  const source = sourceOf(url, config);
  const before = cursor?.source === source ? cursor.calendars : {};
  const ask = askerOf({ home: url, username: config.username, password: secrets.password, signal });
  const pause = pausesOf(signal);
  const visiting = (key: string) => ({
    state: Object.hasOwn(before, key) ? before[key] ?? null : null,
    config,
    floating: ianaZone(config.timeZone) ?? utc,
    now,
    pause,
  });

  if (config.kind === "ics") {
    const { drafts, state, more } = await visitFeed(url, ask, visiting(""));
    return { drafts, cursor: { source, calendars: { "": state } }, more };
  }
  const found = new Map((await findCalendars(ask, url)).map((calendar) => [calendar.url.pathname, calendar]));
  const calendars: Record<string, CalendarState> = {};
  const drafts: PolledDraft[] = [];
  let more = false;
  for (const [path, calendar] of found) {
    if (drafts.length >= PAGE) {
      more = true;
      // A calendar of which nothing is known yet waits for its turn.
      const { state } = visiting(path);
      if (state !== null) calendars[path] = state;
      continue;
    }
    const visit: Visit = await visitDav(calendar, ask, visiting(path));
    drafts.push(...visit.drafts);
    calendars[path] = visit.state;
    more ||= visit.more;
  }
  return { drafts, cursor: { source, calendars }, more };
}

/** Stands for what is read and what of it is told. Named one by one: a new setting must not make all events begin anew. */
function sourceOf(
  url: URL,
  { kind, username = "", timeZone, changes, starts, ends, lookBackDays }: CalendarConfig,
): string {
  const parts = [url.href, kind, username, timeZone, changes, starts, ends, lookBackDays];
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, 16);
}
