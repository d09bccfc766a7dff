/** The publishes whose confirms are still to come; tells when the broker confirms none of them. */
export class UnderWay {
  readonly #publishes = new Set<Promise<unknown>>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When one last ended, or began with no other under way; by `performance.now`. */
  #movedAt = 0;

  /** @param onStall Called when none has ended for `stallMs` though there were some; again with later publishes. */
  constructor(private readonly stallMs: number, private readonly onStall: () => void) {}

  /** Gives what `publish`, which does not fail, resolves with. */
  async watch<T>(publish: Promise<T>): Promise<T> {
    if (this.#publishes.size === 0) this.#movedAt = performance.now();
    this.#publishes.add(publish);
    this.#timer ??= setTimeout(() => this.#look(), this.stallMs);
    const outcome = await publish;
    this.#publishes.delete(publish);
    this.#movedAt = performance.now();
    return outcome;
  }

  /** Resolves when those that are under way now have ended. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#publishes);
  }

  /** From now on nothing is told. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  /** One timer for as long as there is work: to set one for each publish costs more than to look at the clock. */
  #look(): void {
    this.#timer = undefined;
    if (this.#publishes.size === 0) return;
    const leftMs = this.#movedAt + this.stallMs - performance.now();
    if (leftMs <= 0) this.onStall();
    else this.#timer = setTimeout(() => this.#look(), leftMs);
  }
}
