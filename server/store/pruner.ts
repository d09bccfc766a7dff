import { getLogger } from "@logtape/logtape";
import { unlocked } from "./unlocked.ts";

/** How many more than its share a prefix may hold before the oldest are deleted: not every write has to delete. */
const SLACK_PART = 0.1;
/**
 * How much of its share is deleted at a time. To delete an entry it is read, and the store does nothing else meanwhile: what
 * deletes much at once keeps deliveries waiting.
 */
const STEP_PART = 0.01;
/** Entries that come from the store at once. */
const ENTRIES_PER_BATCH = 10;
/** Keys that are deleted in one commit: few enough to keep nobody waiting for long. */
const DELETES_PER_COMMIT = 100;
/** What is written within this part of its age is counted together. */
const LOT_PART = 0.01;

/** What entries count for that were written within a while. */
interface Lot {
  /** When it began, in milliseconds since the epoch. */
  readonly at: number;
  count: number;
}

/** What is known of a prefix. */
interface Share {
  readonly prefix: Deno.KvKey;
  /** What its entries count for, the oldest first. */
  lots: Lot[];
  /** Whether those that were there before are counted. */
  isCounted: boolean;
}

/** What {@link Pruner} works with. */
export interface PrunerOptions {
  /** What entries may count for, for each prefix. */
  readonly most: number;
  /** How long entries live, in milliseconds: Deno KV does not tell when one has expired. */
  readonly ageMs: number;
  /** For how many an entry counts; default: one. */
  readonly weightOf?: (entry: Deno.KvEntry<unknown>) => number;
  /** When an entry was written, in milliseconds since the epoch. */
  readonly writtenAt: (entry: Deno.KvEntry<unknown>) => number;
  /** The keys that are deleted with an entry, its own among them. */
  readonly keysOf: (entry: Deno.KvEntry<unknown>) => Promise<Deno.KvKey[]>;
  readonly now: () => Date;
}

const log = getLogger(["inlet", "store"]);

/** Keeps the number of entries below each of some prefixes bounded, oldest first out, in the background. */
export class Pruner {
  readonly #shares = new Map<string, Share>();
  readonly #due = new Set<Share>();
  #running: Promise<void> | undefined;

  constructor(private readonly kv: Deno.Kv, private readonly options: PrunerOptions) {}

  /**
   * To be called after entries that count for `added` were written below `prefix`. Waits for nothing: what is too many is
   * deleted soon. The count is this process's own: of several, each keeps to the bound by what it knows.
   */
  added(prefix: Deno.KvKey, added: number): void {
    const name = JSON.stringify(prefix);
    const share = this.#shares.get(name) ?? { prefix, lots: [], isCounted: false };
    this.#shares.set(name, share);
    const { most, now } = this.options;
    this.#put(share.lots, now().getTime(), added);
    const count = this.#countOf(share);
    // What was there before is counted when it matters: to count is to read it all.
    const isDue = share.isCounted ? count > most * (1 + SLACK_PART) : count >= most * STEP_PART;
    if (!isDue) return;
    this.#due.add(share);
    this.#running ??= this.#run();
  }

  /** Resolves when all that was too many is deleted. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    for (const share of this.#due) {
      this.#due.delete(share);
      try {
        await this.#prune(share);
      } catch (error) {
        // It is tried again with what is written next.
        log.error("cannot delete what is too old to keep: {error}", { error });
      }
    }
    this.#running = undefined;
  }

  async #prune(share: Share): Promise<void> {
    const { most, weightOf = () => 1, keysOf } = this.options;
    if (!share.isCounted) {
      // What is added while it counts stands at the end, and is counted.
      share.lots = await this.#count(share.prefix, weightOf);
      share.isCounted = true;
    }
    let left = this.#countOf(share);
    if (left <= most * (1 + SLACK_PART)) return;
    const stay = most * (1 + SLACK_PART - STEP_PART);
    let keys: Deno.KvKey[] = [];
    let weight = 0;
    for await (const entry of this.kv.list({ prefix: share.prefix }, { batchSize: ENTRIES_PER_BATCH })) {
      if (left <= stay || left - weightOf(entry) < most) break;
      left -= weightOf(entry);
      weight += weightOf(entry);
      keys.push(...await keysOf(entry));
      if (keys.length < DELETES_PER_COMMIT) continue;
      await this.#delete(keys);
      take(share.lots, weight);
      keys = [];
      weight = 0;
    }
    await this.#delete(keys);
    take(share.lots, weight);
  }

  async #delete(keys: readonly Deno.KvKey[]): Promise<void> {
    // Deno KV allows 1,000 mutations in a commit, and the chunks of one large entry can be more.
    for (let first = 0; first < keys.length; first += 2 * DELETES_PER_COMMIT) {
      const atomic = this.kv.atomic();
      for (const key of keys.slice(first, first + 2 * DELETES_PER_COMMIT)) atomic.delete(key);
      await unlocked(() => atomic.commit());
    }
  }

  async #count(prefix: Deno.KvKey, weightOf: (entry: Deno.KvEntry<unknown>) => number): Promise<Lot[]> {
    const lots: Lot[] = [];
    const entries = this.kv.list({ prefix }, { batchSize: ENTRIES_PER_BATCH });
    for await (const entry of entries) this.#put(lots, this.options.writtenAt(entry), weightOf(entry));
    return lots;
  }

  #put(lots: Lot[], at: number, count: number): void {
    const last = lots.at(-1);
    // A clock that is set back begins another lot: this one does not live as long as those that it called later.
    if (last !== undefined && Math.abs(at - last.at) < this.options.ageMs * LOT_PART) last.count += count;
    else lots.push({ at, count });
  }

  /** What the entries of a prefix count for, but for those that have expired. */
  #countOf(share: Share): number {
    const { ageMs, now } = this.options;
    const expiredAt = now().getTime() - ageMs;
    share.lots = share.lots.filter(({ at }) => at > expiredAt);
    return share.lots.reduce((sum, { count }) => sum + count, 0);
  }
}

/** Takes the oldest away, as many as count for so much. */
function take(lots: Lot[], count: number): void {
  while (lots[0] !== undefined) {
    const part = Math.min(lots[0].count, count);
    lots[0].count -= part;
    count -= part;
    if (lots[0].count > 0) return;
    lots.shift();
  }
}
