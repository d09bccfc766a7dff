import { getLogger } from "@logtape/logtape";
import type { Audit } from "../audit/audit.ts";
import type { DeadLetter, DeadLetters, SpoolingExchange } from "../deps.ts";
import { isUnreadable, NotFoundError } from "../errors.ts";
import { counted } from "../words.ts";

/** How far {@link DeadLetterActions.retryAll} came. */
export interface RetriedLetters {
  readonly retried: number;
  /** Whether there are more of those that were meant: do it again for them. */
  readonly more: boolean;
}

const MOST_AT_ONCE = 1000;
const log = getLogger(["inlet", "deliveries"]);

/** What people do about events that the broker did not take. */
export interface DeadLetterActions {
  /** Newest first; those before the dead letter `before`, if given. */
  list(workspaceId: string, page: { readonly limit: number; readonly before?: string }): Promise<DeadLetter[]>;
  /** How many the workspace has. */
  count(workspaceId: string): Promise<number>;
  /**
   * Has the event published again, behind those that wait.
   *
   * @throws {NotFoundError} if there is no such dead letter
   */
  retry(workspaceId: string, id: string): Promise<void>;
  /** How many {@link retryAll} retries at most, within seconds. */
  readonly mostAtOnce: number;
  /**
   * Does that for many, oldest first. What the broker refuses once more becomes another dead letter; one that cannot be
   * read is logged, and stays.
   *
   * @param upTo The newest that is meant; left out: the newest there is.
   * @throws {StoreError | EncryptionKeyError} if none of them can be read
   */
  retryAll(workspaceId: string, upTo?: string): Promise<RetriedLetters>;
  /**
   * Deletes the event for good.
   *
   * @throws {NotFoundError} if there is no such dead letter
   */
  discard(workspaceId: string, id: string): Promise<void>;
}

/** Makes what people do about dead letters; the spool learns of what it gets back. */
export function createDeadLetterActions(
  letters: DeadLetters,
  spooling: Pick<SpoolingExchange, "wake"> | undefined,
  audit: Audit,
): DeadLetterActions {
  return {
    list: (workspaceId, page) => letters.list(workspaceId, page),
    count: (workspaceId) => letters.count(workspaceId),
    async retry(workspaceId, id) {
      if (!await letters.retry(workspaceId, id)) throw unknown();
      spooling?.wake();
      await audit.note({ action: "retried the dead letter", workspaceId, subject: id });
    },
    mostAtOnce: MOST_AT_ONCE,
    async retryAll(workspaceId, upTo) {
      const ids = await letters.oldest(workspaceId, { limit: MOST_AT_ONCE + 1, upTo });
      let retried = 0;
      let unreadable: unknown;
      try {
        for (const id of ids.slice(0, MOST_AT_ONCE)) {
          try {
            if (await letters.retry(workspaceId, id)) retried++;
          } catch (error) {
            if (!isUnreadable(error)) throw error;
            log.error("cannot retry the dead letter {id}: {reason}", { id, reason: error.message });
            unreadable ??= error;
          }
        }
      } finally {
        // Those that came before one that failed are retried.
        if (retried > 0) {
          spooling?.wake();
          await audit.note({ action: "retried", workspaceId, subject: counted(retried, "dead letter") });
        }
      }
      // Whoever asks again until there are no more is not to do so for ever.
      if (retried === 0 && unreadable !== undefined) throw unreadable;
      return { retried, more: ids.length > MOST_AT_ONCE };
    },
    async discard(workspaceId, id) {
      if (!await letters.discard(workspaceId, id)) throw unknown();
      await audit.note({ action: "discarded the dead letter", workspaceId, subject: id });
    },
  };
}

function unknown(): NotFoundError {
  return new NotFoundError("Cannot find the dead letter: it is unknown, was retried or was discarded");
}
