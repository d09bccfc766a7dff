/**
 * Remembers which events were handled, by id, so that a repeat is dropped: the same delivery always gives the same ids.
 * Kept in memory it outlives a reconnect; kept where the handler writes, best in the same transaction, it outlives the
 * process, and makes the handler's effect happen once.
 */
export interface SeenEvents {
  /** Whether the event was handled. */
  has(id: string): boolean | Promise<boolean>;
  /** Called once the handler has succeeded, before the message is acknowledged. */
  add(id: string): void | Promise<void>;
}

const STANDARD_LIMIT = 10_000;

/** Remembers the newest `limit` ids, 10,000 if it is not given, for as long as the process runs. */
export function seenInMemory(limit: number = STANDARD_LIMIT): SeenEvents {
  const ids = new Set<string>();
  return {
    has: (id) => ids.has(id),
    add(id) {
      ids.delete(id);
      ids.add(id);
      for (const oldest of ids) {
        if (ids.size <= limit) break;
        ids.delete(oldest);
      }
    },
  };
}
