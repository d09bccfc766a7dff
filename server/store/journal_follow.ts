import { getLogger } from "@logtape/logtape";
import type { Follow } from "../deps.ts";
import { EncryptionKeyError } from "../errors.ts";
import type { StoredBundle } from "./journal_bundle.ts";
import { processOf } from "./journal_position.ts";

const log = getLogger(["inlet", "store"]);

/** A bundle and where it stands. */
export interface PlacedBundle {
  readonly key: Deno.KvKey;
  readonly position: string;
  readonly value: StoredBundle;
  /** Whether others before it may have been deleted before they were read. */
  readonly afterGap: boolean;
}

/** What {@link newsOf} works with. */
export interface NewsParts {
  /** Before all that is to be read of a process that is not in `readTo`. */
  readonly since: string;
  /** The last place of a process that is not to be read. */
  readonly readTo: ReadonlyMap<string, string>;
  /** The newest place of each process. */
  newest(): Promise<string[]>;
  /** The bundles behind a place, in order; `last` is one before them that was read. */
  bundlesFrom(start: string, last: Deno.KvKey | undefined): AsyncIterable<PlacedBundle>;
}

/**
 * Gives a function that reads what processes wrote since its last call, by the newest place of each: clocks that differ do
 * no harm, since a process commits its own bundles in order. While none writes, a call costs one read of a few small records.
 */
export function newsOf({ since, newest, bundlesFrom, ...parts }: NewsParts): () => AsyncIterable<PlacedBundle> {
  const readTo = new Map(parts.readTo);
  const lasts = new Map<string, Deno.KvKey>();
  const readToOf = (position: string) => readTo.get(processOf(position)) ?? since;
  let missing = false;

  return async function* () {
    do {
      const news = (await newest()).filter((position) => position > readToOf(position));
      const [oldest] = news.sort((one, other) => readToOf(one) < readToOf(other) ? -1 : 1);
      if (oldest === undefined) return;
      // A bundle that is committed while they are read may stand before one that was read: it is for the next time.
      const until = new Map(news.map((position) => [processOf(position), position]));
      const end = news.reduce((one, other) => one > other ? one : other);
      for await (const bundle of bundlesFrom(readToOf(oldest), lasts.get(processOf(oldest)))) {
        const { key, position, afterGap } = bundle;
        missing ||= afterGap;
        if (position > end) break;
        if (position <= readToOf(position) || position > (until.get(processOf(position)) ?? "")) continue;
        lasts.set(processOf(position), key);
        yield { ...bundle, afterGap: missing };
        missing = false;
      }
      for (const [process, position] of until) readTo.set(process, position);
      // What was deleted is followed by what came meanwhile.
    } while (missing);
  };
}

/** What {@link followOthers} works with: `newest` gives the places of other processes only. */
export interface FollowParts extends Omit<NewsParts, "readTo"> {
  /** The events of a bundle. */
  unseal(position: string, bundle: StoredBundle): Promise<{ readonly id: string; readonly json: string }[]>;
}

/**
 * Follows the bundles of other processes from now on, whether the store can be read now or not: what is written until it
 * can be would be missed, so all that comes after `since` is given then. A bundle that cannot be unsealed is logged
 * and left out.
 */
export async function followOthers({ unseal, ...parts }: FollowParts): Promise<Follow> {
  const places = await parts.newest().catch((error): string[] => {
    log.error("cannot look how far other processes have written for live streams: {error}", { error });
    return [];
  });
  const news = newsOf({ ...parts, readTo: new Map(places.map((position) => [processOf(position), position])) });

  return async function* (isKnown) {
    for await (const { position, value } of news()) {
      if (value.ids.every(isKnown)) continue;
      const events = await unseal(position, value).catch((error) => {
        if (!(error instanceof EncryptionKeyError)) throw error;
        // While a key is rotated, one process has it before another: those that are told of are shown all the same.
        log.error("cannot read what another process wrote for live streams: {reason}", { reason: error.message });
        return [];
      });
      yield* events.filter(({ id }) => !isKnown(id));
    }
  };
}
