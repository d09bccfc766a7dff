/** Resolves when `promise` has settled, whichever way, or after `timeoutMs`; tells whether it had. */
export async function settledWithin(timeoutMs: number, promise: Promise<unknown>): Promise<boolean> {
  const { promise: expired, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), timeoutMs);
  try {
    return await Promise.race([promise.then(() => true, () => true), expired]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Gives what `promise` gives, if it does so in time.
 *
 * @throws {Error} that `late` makes, after `timeoutMs`; what `promise` throws, before
 */
export async function within<T>(timeoutMs: number, promise: Promise<T>, late: () => Error): Promise<T> {
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late()), timeoutMs);
  try {
    return await Promise.race([promise, expired]);
  } finally {
    clearTimeout(timer);
  }
}
