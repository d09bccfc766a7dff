import { getLogger } from "@logtape/logtape";
import { setTimeout as delay } from "node:timers/promises";
import type { Follow, Journal } from "../deps.ts";
import type { ShownEvent } from "./client.ts";

/** What {@link CatchUp} works with. */
export interface CatchUpParts {
  readonly journal: Journal | undefined;
  readonly workspaceId: string;
  /** Whether an event was shown. */
  readonly isKnown: (eventId: string) => boolean;
  /** Shows an event, unless it was shown. */
  readonly show: (event: ShownEvent) => void;
}

/** How soon the journal is looked at again when it could not be read. */
const AGAIN_MS = 100;
/** More events of one process do not wait: they are shown as they came. */
const MOST_HELD = 10_000;

const log = getLogger(["inlet", "stream"]);

/**
 * Brings a workspace's streams what other processes announced, whole: in the order of each process, and with nothing left
 * out. Most of it is told of. What could not be told of is in the journal: a process was killed, or it or this one had no
 * connection to the broker.
 *
 * A stream resumes after its last event in what that event's process wrote, so an event must not be shown before those that
 * its process announced earlier. It waits here while some of them may be missing. One look at the journal finds those: what
 * is announced is there, in the same order.
 */
export class CatchUp {
  #follow: Promise<Follow> | undefined;
  #looking: Promise<void> = Promise.resolve();
  #showing: Promise<void> | undefined;
  readonly #ending = new AbortController();
  /** The processes of which all was shown, or is found by the look under way, that came before what they tell of next. */
  readonly #whole = new Set<string>();
  readonly #held = new Map<string, ShownEvent[]>();

  constructor(private readonly parts: CatchUpParts) {}

  /** Resolves when all that is written from now on will be found. */
  async begin(): Promise<void> {
    const { journal } = this.parts;
    if (journal !== undefined) await this.#begun(journal);
  }

  /** Shows an event that another process told of, or has it wait for those before it. */
  take(event: ShownEvent, by: string): void {
    const held = this.#held.get(by);
    if (held === undefined && (this.parts.journal === undefined || this.#whole.has(by))) return this.parts.show(event);
    if (held === undefined) this.#held.set(by, [event]);
    else if (held.push(event) > MOST_HELD) this.#release(by, held);
    this.#showing ??= this.#showHeld();
  }

  /** Says that something may be missing of a process before what it tells of next. */
  doubt(process: string): void {
    this.#whole.delete(process);
  }

  /** Shows what the journal has and nobody told of. */
  async look(): Promise<void> {
    // One at a time: each reads on from where the last one ended.
    this.#looking = this.#looking.catch(() => {}).then(() => this.#look());
    await this.#looking;
  }

  /** Shows nothing more. */
  end(): void {
    this.#ending.abort();
    this.#held.clear();
  }

  #begun(journal: Journal): Promise<Follow> {
    return this.#follow ??= journal.follow(this.parts.workspaceId);
  }

  async #look(): Promise<void> {
    const { journal, workspaceId, isKnown, show } = this.parts;
    if (journal === undefined) return;
    const follow = await this.#begun(journal);
    for await (const { id, json } of follow(isKnown)) {
      if (this.#ending.signal.aborted) return;
      show({ event: { id, workspaceId }, json });
    }
  }

  async #showHeld(): Promise<void> {
    while (this.#held.size > 0) {
      for (const process of this.#held.keys()) this.#whole.add(process);
      try {
        await this.look();
      } catch (error) {
        if (!this.#ending.signal.aborted) log.error("cannot look for what was not told of: {error}", { error });
        await delay(AGAIN_MS, undefined, { signal: this.#ending.signal }).catch(() => {});
        continue;
      }
      // Of a process that was doubted meanwhile, more may be missing: it is looked for again.
      for (const [process, held] of this.#held) if (this.#whole.has(process)) this.#release(process, held);
    }
    this.#showing = undefined;
  }

  #release(process: string, held: readonly ShownEvent[]): void {
    this.#held.delete(process);
    for (const event of held) this.parts.show(event);
  }
}
