import type { SerializedEvent } from "../deps.ts";
import { BrokerUnavailableError } from "../errors.ts";
import { settledWithin } from "../timeouts.ts";

/**
 * Events that were spooled while their confirm was still to come. It often does come: then they need not be published
 * again.
 */
export class LateConfirms {
  readonly #outcomes = new Map<string, Promise<boolean>>();
  /** The workspaces of those that are in the spool, by event id. */
  readonly #stored = new Map<string, string>();

  /** Remembers what becomes of a publish that nobody waits for any more. */
  watch(events: readonly SerializedEvent[], sent: Promise<unknown>): void {
    for (const { event } of events) {
      const outcome = sent.then(
        () => true,
        (error) => error instanceof BrokerUnavailableError && error.confirmed.has(event.id),
      );
      const before = this.#outcomes.get(event.id);
      this.#outcomes.set(event.id, before === undefined ? outcome : either(before, outcome));
    }
  }

  /** To be called when the events are in the spool. */
  stored(events: readonly SerializedEvent[]): void {
    for (const { event: { id, workspaceId } } of events) {
      if (this.#outcomes.has(id)) this.#stored.set(id, workspaceId);
    }
  }

  /**
   * The ids of those that are in the spool, as far as is known here, with their workspaces: another process may have
   * published them.
   */
  inSpool(): [eventId: string, workspaceId: string][] {
    return [...this.#stored];
  }

  /** Whether the event was confirmed after all; `undefined` if that is not known after `timeoutMs`. */
  async wasConfirmed(eventId: string, timeoutMs: number): Promise<boolean | undefined> {
    const outcome = this.#outcomes.get(eventId);
    if (outcome === undefined) return false;
    return await settledWithin(timeoutMs, outcome) ? await outcome : undefined;
  }

  /** To be called when the event is in the spool no more. */
  forget(eventId: string): void {
    this.#outcomes.delete(eventId);
    this.#stored.delete(eventId);
  }
}

/** Resolves with `true` as soon as one does, with `false` when both have. */
async function either(one: Promise<boolean>, other: Promise<boolean>): Promise<boolean> {
  return await Promise.race([one, other]) || (await Promise.all([one, other])).includes(true);
}
