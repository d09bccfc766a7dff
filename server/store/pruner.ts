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
/** Deno KV allows 1,000 mutations in a commit, and a commit costs far more than what is in it. */
const DELETES_PER_COMMIT = 500;

/** Keeps the number of entries below a prefix bounded, oldest first out. */
export class Pruner {
  readonly #counts = new Map<string, number>();

  constructor(
    private readonly kv: Deno.Kv,
    /** For each prefix. */
    private readonly most: number,
    /** For how many an entry counts; default: one. */
    private readonly weightOf: (entry: Deno.KvEntry<unknown>) => number = () => 1,
  ) {}

  /**
   * To be called after entries that count for `added` were written below `prefix`. Of each entry that is too many, deletes the
   * keys that `keysOf` gives. The count is this process's own: of several, each keeps to the bound by what it knows.
   */
  async added(
    prefix: Deno.KvKey,
    added: number,
    keysOf: (entry: Deno.KvEntry<unknown>) => Promise<Deno.KvKey[]>,
  ): Promise<void> {
    const name = JSON.stringify(prefix);
    const count = (this.#counts.get(name) ?? await this.#count(prefix) - added) + added;
    this.#counts.set(name, count);
    const excess = count - this.most;
    if (excess <= this.most * SLACK_PART) return;
    const stay = this.most * (SLACK_PART - STEP_PART);
    const keys: Deno.KvKey[] = [];
    let left = excess;
    for await (const entry of this.kv.list({ prefix }, { limit: excess, batchSize: ENTRIES_PER_BATCH })) {
      if (left <= stay || left < this.weightOf(entry)) break;
      left -= this.weightOf(entry);
      keys.push(...await keysOf(entry));
    }
    for (let first = 0; first < keys.length; first += DELETES_PER_COMMIT) {
      const atomic = this.kv.atomic();
      for (const key of keys.slice(first, first + DELETES_PER_COMMIT)) atomic.delete(key);
      await unlocked(() => atomic.commit());
    }
    this.#counts.set(name, this.most + left);
  }

  async #count(prefix: Deno.KvKey): Promise<number> {
    let count = 0;
    for await (const entry of this.kv.list({ prefix })) count += this.weightOf(entry);
    return count;
  }
}
