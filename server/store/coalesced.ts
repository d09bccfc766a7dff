interface Waiting<Item, Result> {
  readonly item: Item;
  readonly done: PromiseWithResolvers<Result>;
}

/** What {@link Coalesced} works with. */
export interface CoalescedParts<Item, Result> {
  /** How many of those that wait, from the first on, go together; at least one. Default: all. */
  readonly fit?: (waiting: readonly Item[]) => number;
  /** Does what is to be done for all of a batch; gives one result for each, in their order. */
  readonly run: (batch: readonly Item[]) => Promise<readonly Result[]>;
}

/**
 * One access of the store for many callers: what gathers while a batch is under way goes with the next one. So the more
 * callers there are at a time, the less each costs, and nobody waits for others to come. Items stay in order.
 */
export class Coalesced<Item, Result> {
  #waiting: Waiting<Item, Result>[] = [];
  #running: Promise<void> | undefined;

  constructor(private readonly parts: CoalescedParts<Item, Result>) {}

  /** Resolves with the item's result; rejects if its batch as a whole failed. */
  async add(item: Item): Promise<Result> {
    const done = Promise.withResolvers<Result>();
    this.#waiting.push({ item, done });
    this.#running ??= this.#runAll();
    return await done.promise;
  }

  async #runAll(): Promise<void> {
    // What a caller adds one after the other goes together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const items = this.#waiting.map(({ item }) => item);
      const batch = this.#waiting.slice(0, Math.max(1, this.parts.fit?.(items) ?? items.length));
      this.#waiting = this.#waiting.slice(batch.length);
      try {
        const results = await this.parts.run(batch.map(({ item }) => item));
        for (const [index, result] of results.entries()) batch[index]?.done.resolve(result);
      } catch (error) {
        for (const { done } of batch) done.reject(error);
      }
    }
    this.#running = undefined;
  }
}

/** How many of `sizes`, from the first on, add up to no more than `mostBytes`, and are no more than `most`. */
export function howManyFit(sizes: readonly number[], most: number, mostBytes: number): number {
  let bytes = 0;
  const tooMany = sizes.findIndex((size, index) => {
    bytes += size;
    return index === most || bytes > mostBytes;
  });
  return tooMany < 0 ? sizes.length : tooMany;
}
