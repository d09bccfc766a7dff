import type { PolledDraft } from "../kit/mod.ts";
import { judgeGone, type Judgement, type Judging } from "./changes.ts";
import type { CalendarState, Known } from "./cursor.ts";
import type { Place } from "./drafts.ts";
import type { Pause } from "./pauses.ts";
import type { CalendarConfig } from "./settings.ts";
import { timesWanted } from "./times.ts";
import { DAY, type Zone } from "./zones.ts";

/** How many drafts are a page. One may be a little longer, since starts at the same instant stay together. */
export const PAGE = 100;

/** One look at one calendar. */
export interface Visiting {
  /** Where the last one ended; `null` the first time. */
  readonly state: CalendarState | null;
  readonly config: CalendarConfig;
  readonly floating: Zone;
  readonly now: Date;
  readonly pause: Pause;
}

/** What a look gave. */
export interface Visit {
  readonly drafts: readonly PolledDraft[];
  readonly state: CalendarState;
  readonly more: boolean;
}

/** Whether a start or end may be due, whatever the calendar says of changes. */
export function isDue({ state, config, now }: Visiting): boolean {
  if (!timesWanted(config)) return false;
  return state === null || state.next === null || state.next <= now.getTime();
}

/** What is known of a calendar's entries, as it changes while a page is written. */
export class Ledger {
  readonly drafts: PolledDraft[] = [];
  readonly judging: Judging;
  readonly #known: Map<string, Known>;

  constructor({ state, config, now }: Visiting, place: Place) {
    this.#known = new Map(Object.entries(state?.known ?? {}));
    this.judging = {
      place,
      // With other settings all begins anew, and not with the keys of what was told before.
      revision: state?.revision ?? now.getTime(),
      watchedFrom: now.getTime() - config.lookBackDays * DAY,
      silent: state === null,
    };
  }

  get isFull(): boolean {
    return this.drafts.length >= PAGE;
  }

  get(key: string): Known | undefined {
    return this.#known.get(key);
  }

  keys(): string[] {
    return [...this.#known.keys()];
  }

  record(key: string, { draft, known }: Judgement): void {
    if (draft !== undefined) this.drafts.push(draft);
    if (known === undefined) this.#known.delete(key);
    else this.#known.set(key, known);
  }

  recordGone(key: string): void {
    const known = this.#known.get(key);
    if (known !== undefined) this.record(key, judgeGone(known, key, this.judging));
  }

  /** What to store of it. The next page of changes has another number. */
  written(): Pick<CalendarState, "known" | "revision"> {
    const { revision } = this.judging;
    return { known: Object.fromEntries(this.#known), revision: this.drafts.length > 0 ? revision + 1 : revision };
  }
}
