/** What {@link Turns} holds to. */
export interface TurnsOptions {
  /** How many pieces of work hold a place at a time. */
  readonly places: number;
  /** How long one holds its place, in milliseconds; longer work goes on without. */
  readonly placeMs: number;
}

/** Work that must not reject. */
type Work = () => Promise<void>;

/**
 * Begins work of many workspaces, a few pieces at a time. The workspaces take turns, so that one with much to do does
 * not keep the others waiting; and work that takes long gives its place to the next, since it mostly waits for somebody.
 */
export class Turns {
  /** By workspace, the next one's first; within it by name. No workspace is here without work. */
  readonly #waiting = new Map<string, Map<string, Work>>();
  readonly #underWay = new Set<Promise<void>>();
  #free: number;

  constructor(private readonly options: TurnsOptions) {
    this.#free = options.places;
  }

  /** Calls `work` when its turn has come, at once if a place is free. What waits already under the name stays as it is. */
  take(workspaceId: string, name: string, work: Work): void {
    const own = this.#waiting.get(workspaceId) ?? new Map<string, Work>();
    if (!own.has(name)) own.set(name, work);
    this.#waiting.set(workspaceId, own);
    this.#next();
  }

  /** Drops what waits: of a workspace, or all. What has begun goes on. */
  drop(workspaceId?: string): void {
    if (workspaceId === undefined) this.#waiting.clear();
    else this.#waiting.delete(workspaceId);
  }

  /** Resolves when nothing waits and nothing is under way. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  #next(): void {
    for (const [workspaceId, own] of this.#waiting) {
      if (this.#free === 0) return;
      this.#waiting.delete(workspaceId);
      const [first, ...others] = own;
      // Last in the order of a Map: the others' turn comes before, and in this very loop.
      if (others.length > 0) this.#waiting.set(workspaceId, new Map(others));
      if (first !== undefined) this.#begin(first[1]);
    }
  }

  #begin(work: Work): void {
    this.#free--;
    let holds = true;
    const giveBack = () => {
      if (!holds) return;
      holds = false;
      this.#free++;
      this.#next();
    };
    const timer = setTimeout(giveBack, this.options.placeMs);
    const underWay = work().finally(() => {
      clearTimeout(timer);
      // The next one is under way before this one is not: whoever waits until all is idle misses none.
      giveBack();
      this.#underWay.delete(underWay);
    });
    this.#underWay.add(underWay);
  }
}
