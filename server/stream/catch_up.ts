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
  readonly show: (event: ShownEvent) => void;
  /** How long an event that was told of can take to be in the journal, in milliseconds; after that it is not awaited. */
  readonly journalLagMs: number;
}

/** Events that one process told of, and before which others of it may be missing. */
interface Held {
  readonly events: ShownEvent[];
  /** How many of them came before the newest gap. */
  beforeGap: number;
  /** When the first came, or the newest gap, by `performance.now`. */
  since: number;
}

/** How soon the journal is looked at again for what was told of and is not there yet. */
const AGAIN_MS = 100;
/** More events of one process do not wait: they are shown as they came. */
const MOST_HELD = 10_000;

const log = getLogger(["inlet", "stream"]);

/**
 * Brings a workspace's streams what other processes published, whole: in the order of each process, and with nothing left
 * out. Most of it is told of. What could not be told of is in the journal: a process was killed, or it or this one had no
 * connection to the broker.
 *
 * A stream resumes after its last event in what that event's process wrote, so an event must not be shown before those that
 * its process published earlier. It waits here while some of them may be missing: until the journal has it, since a process
 * writes there in the order in which it publishes, and so what was missing has been found as well.
 */
export class CatchUp {
  #follow: Promise<Follow | undefined> | undefined;
  #looking: Promise<void> = Promise.resolve();
  #showing: Promise<void> | undefined;
  readonly #ending = new AbortController();
  /** The processes of which all was shown that came before what they tell of next. */
  readonly #whole = new Set<string>();
  readonly #held = new Map<string, Held>();
  /** What each process told of last, and when, by `performance.now`. */
  readonly #newest = new Map<string, { readonly id: string; readonly at: number }>();

  constructor(private readonly parts: CatchUpParts) {}

  /** Resolves when all that is written from now on will be found. What goes wrong is logged, and tried again by the next look. */
  async begin(): Promise<void> {
    await this.#begun();
  }

  /** Shows an event that another process told of, or has it wait for those before it. */
  take(event: ShownEvent, by: string): void {
    if (this.parts.journal === undefined || this.#whole.has(by)) {
      this.#newest.set(by, { id: event.event.id, at: performance.now() });
      return this.parts.show(event);
    }
    const held = this.#held.get(by) ?? { events: [], beforeGap: 0, since: performance.now() };
    this.#held.set(by, held);
    held.events.push(event);
    if (held.events.length > MOST_HELD) return this.#release(by, held);
    this.#showing ??= this.#showHeld();
  }

  /** Says that something may be missing of a process before what it tells of next. */
  doubt(process: string): void {
    this.#whole.delete(process);
    const held = this.#held.get(process);
    if (held === undefined) return;
    held.beforeGap = held.events.length;
    held.since = performance.now();
  }

  /** Shows what the journal has and nobody told of. */
  async look(): Promise<void> {
    // One at a time: each reads on from where the last one ended.
    this.#looking = this.#looking.catch(() => {}).then(() => this.#look());
    await this.#looking;
  }

  /** Resolves when the journal has what was told of so far, so that whoever reads it misses nothing of that. */
  async settled(): Promise<void> {
    const { journal, workspaceId } = this.parts;
    for (const [process, newest] of [...this.#newest]) {
      while (this.#canCome(newest.at) && !await journal?.has(workspaceId, newest.id)) await this.#pause();
      if (this.#newest.get(process) === newest) this.#newest.delete(process);
    }
  }

  /** Shows nothing more. */
  end(): void {
    this.#ending.abort();
    this.#held.clear();
  }

  #begun(): Promise<Follow | undefined> {
    return this.#follow ??= this.parts.journal?.follow(this.parts.workspaceId).catch((error) => {
      log.error("cannot look for other processes' events: {error}", { error });
      this.#follow = undefined;
      return undefined;
    }) ?? Promise.resolve(undefined);
  }

  async #look(): Promise<void> {
    const { workspaceId, isKnown, show } = this.parts;
    const found = new Set<string>();
    const follow = await this.#begun();
    for await (const { id, json } of follow?.(isKnown) ?? []) {
      if (this.#ending.signal.aborted) return;
      found.add(id);
      show({ event: { id, workspaceId }, json });
    }
    for (const [process, held] of this.#held) {
      if (held.events.slice(held.beforeGap).some(({ event }) => found.has(event.id))) this.#release(process, held);
    }
  }

  async #showHeld(): Promise<void> {
    while (this.#held.size > 0) {
      await this.look().catch((error) => this.#cannotLook(error));
      for (const [process, held] of this.#held) {
        // It was there before, or its process could not write it: there is nothing to wait for.
        if (!this.#canCome(held.since)) this.#release(process, held);
      }
      if (this.#held.size > 0) await this.#pause();
    }
    this.#showing = undefined;
  }

  #release(process: string, { events }: Held): void {
    this.#held.delete(process);
    this.#whole.add(process);
    for (const event of events) if (!this.parts.isKnown(event.event.id)) this.take(event, process);
  }

  #cannotLook(error: unknown): void {
    if (!this.#ending.signal.aborted) log.error("cannot look for what was not told of: {error}", { error });
  }

  /** Whether what was told of then can still come into the journal, and somebody is there to see it. */
  #canCome(toldAt: number): boolean {
    return !this.#ending.signal.aborted && performance.now() - toldAt < this.parts.journalLagMs;
  }

  async #pause(): Promise<void> {
    await delay(AGAIN_MS, undefined, { signal: this.#ending.signal }).catch(() => {});
  }
}
