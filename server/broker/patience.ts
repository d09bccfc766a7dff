import { deadline } from "../deadlines.ts";

/** Waits for confirms, each for as long as its publisher can, and for none any more when there is no use in it. */
export class Patience {
  readonly #waiting = new Set<() => void>();
  #mostMs = Infinity;

  /** Gives what `promise` gives; `undefined` after `timeoutMs` or when all were called off. Throws what it throws. */
  async wait<T>(promise: Promise<T>, timeoutMs: number): Promise<T | undefined> {
    const { promise: over, resolve } = Promise.withResolvers<undefined>();
    const giveUp = () => resolve(undefined);
    const settled = deadline(Math.min(timeoutMs, this.#mostMs), giveUp);
    this.#waiting.add(giveUp);
    try {
      return await Promise.race([promise, over]);
    } finally {
      settled();
      this.#waiting.delete(giveUp);
    }
  }

  /** Ends all waits. */
  callOff(): void {
    for (const giveUp of this.#waiting) giveUp();
  }

  /** Ends all waits after `mostMs`, and from now on waits no longer than that. */
  hurry(mostMs: number): void {
    this.#mostMs = mostMs;
    for (const giveUp of this.#waiting) setTimeout(giveUp, mostMs);
  }
}
