import { TokenBuckets } from "../token_buckets.ts";

/** How many failures an address has at once, and how many more come back in a second. */
const BURST = 10;
const PER_SECOND = 0.1;

/** Slows down who guesses: each address has ten failures, and one more every ten seconds. */
export class FailureThrottle {
  readonly #failures: TokenBuckets;

  constructor(now: () => Date) {
    this.#failures = new TokenBuckets({ burst: BURST, perSecond: PER_SECOND, now });
  }

  /** How long an address has to wait until it may try again, in milliseconds; 0 if it may now. */
  waitMs(address: string): number {
    return this.#failures.waitMs(address);
  }

  /** Takes note of a failure. */
  failed(address: string): void {
    this.#failures.take(address);
  }
}
