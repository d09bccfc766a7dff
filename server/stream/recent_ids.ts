/** Ids of late, so many of them: tells which came before. */
export class RecentIds {
  readonly #ids = new Set<string>();

  constructor(private readonly most: number) {}

  /** Remembers an id; `false` if it was there. */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    if (this.#ids.size > this.most) { for (const oldest of this.#ids.values().take(1)) this.#ids.delete(oldest); }
    return true;
  }

  /** Whether the id came of late. */
  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Forgets all. */
  clear(): void {
    this.#ids.clear();
  }
}
