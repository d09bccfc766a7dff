import type { Follow } from "../deps.ts";
import type { StoredBundle } from "./journal_bundle.ts";
import { processOf } from "./journal_position.ts";

/** A bundle and where it stands. */
export interface PlacedBundle {
  readonly position: string;
  readonly value: StoredBundle;
  /** Whether others before it may have been deleted before they were read. */
  readonly afterGap: boolean;
}

/** What {@link followOthers} works with. */
export interface FollowParts {
  /** Before all that is to be followed of a process that has written nothing yet. */
  readonly since: string;
  /** The newest place of each other process. */
  newest(): Promise<string[]>;
  /** The bundles behind a place, in order. */
  bundlesFrom(start: string): AsyncIterable<PlacedBundle>;
  /** The events of a bundle. */
  unseal(position: string, bundle: StoredBundle): Promise<{ readonly id: string; readonly json: string }[]>;
}

/**
 * Follows the bundles of other processes by the newest place of each: clocks that differ do no harm, since a process
 * commits its own bundles in order. While no other process writes, a look costs one read of a few small records.
 */
export async function followOthers({ since, newest, bundlesFrom, unseal }: FollowParts): Promise<Follow> {
  const readTo = new Map((await newest()).map((position) => [processOf(position), position]));
  const readToOf = (position: string) => readTo.get(processOf(position)) ?? since;

  return async function* (isKnown) {
    const news = (await newest()).filter((position) => position > readToOf(position));
    const start = news.map(readToOf).sort()[0];
    if (start === undefined) return;
    // A bundle that is committed while they are read may stand before one that was read: it is for the next look.
    const until = new Map(news.map((position) => [processOf(position), position]));
    for await (const { position, value } of bundlesFrom(start)) {
      if (position <= readToOf(position) || position > (until.get(processOf(position)) ?? "")) continue;
      if (value.ids.every(isKnown)) continue;
      yield* (await unseal(position, value)).filter(({ id }) => !isKnown(id));
    }
    for (const [process, position] of until) readTo.set(process, position);
  };
}
