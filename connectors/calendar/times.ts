import type { PolledDraft } from "../kit/mod.ts";
import type { Entry } from "./calendar.ts";
import { occurrenceDraft, type Place } from "./drafts.ts";
import { occurrencesOf } from "./occurrences.ts";
import type { Pause } from "./pauses.ts";
import type { CalendarConfig } from "./settings.ts";
import { DAY } from "./zones.ts";

/** What started and ended in a time. */
export interface Times {
  readonly drafts: readonly PolledDraft[];
  /** Until when all is told, in milliseconds since the epoch. */
  readonly until: number;
  /** When the next start or end can be. */
  readonly next: number;
  readonly more: boolean;
}

/** Whether starts or ends are told at all. */
export function timesWanted({ starts, ends }: CalendarConfig): boolean {
  return starts || ends;
}

/** From when on starts and ends are to be told, in milliseconds since the epoch: from there on, without it. */
export function timesFrom(until: number, now: Date, { catchUpHours }: CalendarConfig): number {
  return Math.max(until, now.getTime() - catchUpHours * 3_600_000);
}

/**
 * Tells what started and ended after `from` and until now, by time. Where it is more than `most`, those of the earliest
 * instants, and whole ones: the rest comes with the next page.
 */
export async function timesOf(
  entries: readonly Entry[],
  { from, place, config, most, pause }: {
    readonly from: number;
    readonly place: Place;
    readonly config: CalendarConfig;
    readonly most: number;
    readonly pause: Pause;
  },
): Promise<Times> {
  const now = place.now.getTime();
  const horizon = now + config.lookAheadDays * DAY;
  const due: { at: number; draft: () => PolledDraft }[] = [];
  let next = horizon;
  for (const entry of entries) {
    await pause();
    for (const occurrence of occurrencesOf(entry, from, horizon)) {
      const moments = [
        ...config.starts ? [{ action: "started", at: occurrence.start.instant } as const] : [],
        ...config.ends ? [{ action: "ended", at: occurrence.end.instant } as const] : [],
      ];
      for (const { action, at } of moments) {
        if (at > now) next = Math.min(next, at);
        else if (at > from) due.push({ at, draft: () => occurrenceDraft(action, entry, occurrence, place) });
      }
    }
  }
  // The sort keeps a start before the end at the same instant.
  due.sort((a, b) => a.at - b.at);
  const last = due[most - 1]?.at ?? now;
  const page = due.filter(({ at }) => at <= last);
  const more = page.length < due.length;
  return {
    drafts: page.map(({ draft }) => draft()),
    until: more ? last : Math.max(now, from),
    next: more ? now : next,
    more,
  };
}
