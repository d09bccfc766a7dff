import type { Audit } from "../audit/audit.ts";
import type { DeadLetter, DeadLetters, SpoolingExchange } from "../deps.ts";
import { NotFoundError } from "../errors.ts";

/** What people do about events that the broker did not take. */
export interface DeadLetterActions {
  /** Newest first; those before the dead letter `before`, if given. */
  list(workspaceId: string, page: { readonly limit: number; readonly before?: string }): Promise<DeadLetter[]>;
  /**
   * Has the event published again, behind those that wait.
   *
   * @throws {NotFoundError} if there is no such dead letter
   */
  retry(workspaceId: string, id: string): Promise<void>;
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
    async retry(workspaceId, id) {
      if (!await letters.retry(workspaceId, id)) throw unknown();
      spooling?.wake();
      await audit.note({ action: "retried the dead letter", workspaceId, subject: id, detail: "" });
    },
    async discard(workspaceId, id) {
      if (!await letters.discard(workspaceId, id)) throw unknown();
      await audit.note({ action: "discarded the dead letter", workspaceId, subject: id, detail: "" });
    },
  };
}

function unknown(): NotFoundError {
  return new NotFoundError("Cannot find the dead letter: it is unknown, was retried or was discarded");
}
