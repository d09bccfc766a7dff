/** Beyond this many keys the one not used for longest is forgotten: who has many of them costs no more memory. */
const MOST_KEYS = 10_000;

/** One token in its smallest parts: a millisecond then gains as many parts as the rate is. */
const TOKEN = 1000;

interface Bucket {
  readonly left: number;
  readonly at: number;
}

/** What {@link TokenBuckets} works with. */
export interface TokenBucketOptions {
  /** How many tokens come back in a second. */
  readonly perSecond: number;
  /** How many tokens a bucket holds. */
  readonly burst: number;
  readonly now: () => Date;
}

/** A token bucket for each key, full at first, in this process's memory. */
export class TokenBuckets {
  readonly #buckets = new Map<string, Bucket>();

  constructor(private readonly options: TokenBucketOptions) {}

  /** How long until the key has a token, in milliseconds; 0 if it has one now. */
  waitMs(key: string): number {
    const { left } = this.#bucket(key);
    return left >= TOKEN ? 0 : Math.ceil((TOKEN - left) / this.options.perSecond);
  }

  /** Takes a token, if there is one. */
  take(key: string): void {
    const { left, at } = this.#bucket(key);
    this.#buckets.delete(key);
    this.#buckets.set(key, { left: Math.max(0, left - TOKEN), at });
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > MOST_KEYS && oldest !== undefined) this.#buckets.delete(oldest);
  }

  #bucket(key: string): Bucket {
    const { perSecond, burst, now } = this.options;
    const at = now().getTime();
    const before = this.#buckets.get(key) ?? { left: burst * TOKEN, at };
    // A clock that is set back gains nothing, and takes nothing: time counts on from where it stands now.
    if (before.at > at) this.#buckets.set(key, { left: before.left, at });
    return { left: Math.min(burst * TOKEN, before.left + Math.max(0, at - before.at) * perSecond), at };
  }
}
