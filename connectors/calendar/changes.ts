import type { PolledDraft } from "../kit/mod.ts";
import type { Entry } from "./calendar.ts";
import type { Known } from "./cursor.ts";
import { cancelledDraft, changedDraft, type Place, titleOf } from "./drafts.ts";
import { lastEnd } from "./occurrences.ts";

/** What there is to say of one entry, and what is known of it then; nothing where it is not watched any more. */
export interface Judgement {
  readonly draft?: PolledDraft;
  readonly known?: Known;
}

/** How entries are judged. */
export interface Judging {
  readonly place: Place;
  readonly revision: number;
  /** Entries that ended before are not watched, in milliseconds since the epoch. */
  readonly watchedFrom: number;
  /** Whether the calendar is seen for the first time: its entries are history then. */
  readonly silent: boolean;
}

/** Judges an entry that is there. `key` is what it is known by, if that is not its UID. */
export function judge(entry: Entry, known: Known | undefined, etag: string | undefined, judging: Judging): Judgement {
  const { place, revision, watchedFrom, silent } = judging;
  const same = known?.f === entry.fingerprint;
  const until = same ? known.u : lastEnd(entry);
  const { cancelled } = entry.main;
  const seen: Known = {
    i: entry.uid,
    f: entry.fingerprint,
    ...etag === undefined ? {} : { e: etag },
    u: until,
    t: entry.main.start.instant,
    s: titleOf(entry),
    ...cancelled ? { c: true } : {},
  };
  const kept = until !== null && until < watchedFrom ? {} : { known: seen };
  if (silent || same) return kept;
  if (known === undefined) {
    if (cancelled || kept.known === undefined) return kept;
    return { ...kept, draft: changedDraft("created", entry, revision, place) };
  }
  if (cancelled && known.c) return kept;
  if (cancelled) return { ...kept, draft: cancelledDraft(entry.uid, seen, revision, place, entry) };
  return { ...kept, draft: changedDraft("updated", entry, revision, place) };
}

/** Judges an entry that is gone. One that has ended was tidied away, not cancelled. */
export function judgeGone(known: Known, key: string, { place, revision }: Judging): Judgement {
  if (known.c || known.u !== null && known.u < place.now.getTime()) return {};
  return { draft: cancelledDraft(known.i ?? key, known, revision, place) };
}
