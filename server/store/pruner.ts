/** How many more than its share a prefix may hold before the oldest are deleted: not every write has to delete. */
const SLACK_PART = 0.1;

/** Keeps the number of entries below a prefix bounded, oldest first out. */
export class Pruner {
  readonly #counts = new Map<string, number>();

  constructor(
    private readonly kv: Deno.Kv,
    /** For each prefix. */
    private readonly most: number,
  ) {}

  /**
   * To be called after `added` entries were written below `prefix`. Calls `remove` for each that is too many. The count
   * is this process's own: of several, each keeps to the bound by what it knows.
   */
  async added(
    prefix: Deno.KvKey,
    added: number,
    remove: (entry: Deno.KvEntry<unknown>) => Promise<void>,
  ): Promise<void> {
    const name = JSON.stringify(prefix);
    const count = (this.#counts.get(name) ?? await this.#count(prefix) - added) + added;
    this.#counts.set(name, count);
    const excess = count - this.most;
    if (excess <= this.most * SLACK_PART) return;
    for await (const entry of this.kv.list({ prefix }, { limit: excess })) await remove(entry);
    this.#counts.set(name, this.most);
  }

  async #count(prefix: Deno.KvKey): Promise<number> {
    let count = 0;
    for await (const _ of this.kv.list({ prefix })) count++;
    return count;
  }
}
