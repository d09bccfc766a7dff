import { TooManyRequestsError } from "./errors.ts";
import { type TokenBucketOptions, TokenBuckets } from "./token_buckets.ts";

/** Bounds how many deliveries a webhook URL takes a second, by its token. */
export class RateLimit {
  readonly #deliveries: TokenBuckets;

  constructor(private readonly options: TokenBucketOptions) {
    this.#deliveries = new TokenBuckets(options);
  }

  /** @throws {TooManyRequestsError} if the key had its share; it says when the next is let through */
  take(key: string): void {
    const waitMs = this.#deliveries.waitMs(key);
    if (waitMs === 0) return this.#deliveries.take(key);
    const { perSecond } = this.options;
    throw new TooManyRequestsError(
      `Cannot take the delivery: its URL takes ${perSecond} a second (RATE_LIMIT); send it again later`,
      waitMs,
    );
  }
}
