import type { SerializedEvent } from "../deps.ts";
import { EventRefusedError, EventTooLargeError } from "../errors.ts";

/** How often an event is tried that a queue refuses: a queue that is full takes it when it is read. Some minutes. */
const MOST_REFUSALS = 60;
/** How often an event is tried alone over which the broker closes the channel. */
const MOST_CLOSURES = 3;

interface Trouble {
  /** The first event that was not confirmed. */
  readonly eventId: string;
  /** How often it was refused for what it is. */
  readonly tries: number;
  readonly pauses: number;
  readonly untilMs: number;
  /** How many events are to be published one at a time. */
  readonly careful: number;
}

/** What goes wrong while the spool is emptied, for each workspace: when it is tried again, and when it is given up. */
export class Troubles {
  readonly #troubles = new Map<string, Trouble>();

  constructor(
    private readonly now: () => Date,
    private readonly pauseMs: { readonly first: number; readonly most: number },
  ) {}

  /** How long the workspace's events are left alone. */
  waitMs(workspaceId: string): number {
    const leftMs = this.#dueAt(workspaceId) - this.now().getTime();
    // It was never to be longer: the clock was set back.
    return leftMs > this.pauseMs.most ? 0 : Math.max(0, leftMs);
  }

  /** Whether the last that was tried of the workspace was not confirmed. */
  has(workspaceId: string): boolean {
    return this.#dueAt(workspaceId) > 0;
  }

  /** The workspaces in the order in which they are to be tried: those in trouble last, and of them who waits longest first. */
  inTurn(workspaces: readonly string[]): string[] {
    return workspaces.toSorted((one, other) => this.#dueAt(one) - this.#dueAt(other));
  }

  /** Whether events go one at a time, so that it shows which one the broker does not take. */
  isCareful(workspaceId: string): boolean {
    return (this.#troubles.get(workspaceId)?.careful ?? 0) > 0;
  }

  /**
   * Takes note of how `events` went, which were published together, and gives those that are given up, with the reason.
   * Only the first that fails is counted: the others may have failed for its sake.
   */
  judge(
    workspaceId: string,
    events: readonly SerializedEvent[],
    failures: ReadonlyMap<string, unknown>,
  ): Map<string, string> {
    const dead = new Map<string, string>();
    for (const [id, error] of failures) if (error instanceof EventTooLargeError) dead.set(id, error.message);
    const before = this.#troubles.get(workspaceId);
    const first = events.find(({ event: { id } }) => failures.has(id) && !dead.has(id))?.event.id;
    if (first === undefined) {
      this.#calm(workspaceId, events.length);
      return dead;
    }
    const error = failures.get(first);
    const again = before?.eventId === first ? before : undefined;
    const ofItsOwn = error instanceof EventRefusedError && (!error.closedChannel || events.length === 1);
    const tries = (again?.tries ?? 0) + (ofItsOwn ? 1 : 0);
    if (ofItsOwn && tries >= (error.closedChannel ? MOST_CLOSURES : MOST_REFUSALS)) {
      dead.set(first, error.message);
      this.#calm(workspaceId, 1);
      return dead;
    }
    const pauses = again === undefined ? 0 : again.pauses + 1;
    // Also where no confirm came: what is published again each time would come that often when the broker takes it up.
    const suspects = error instanceof EventRefusedError && error.closedChannel ? events.length : 1;
    const careful = Math.max(before?.careful ?? 0, suspects);
    this.#troubles.set(workspaceId, {
      eventId: first,
      tries,
      pauses,
      careful,
      untilMs: this.now().getTime() + this.#pauseMs(pauses),
    });
    return dead;
  }

  /** Takes note that a workspace's events could not even be tried. */
  setBack(workspaceId: string): void {
    const before = this.#troubles.get(workspaceId);
    const pauses = before === undefined ? 0 : before.pauses + 1;
    const untilMs = this.now().getTime() + this.#pauseMs(pauses);
    this.#troubles.set(workspaceId, { eventId: "", tries: 0, careful: 0, ...before, pauses, untilMs });
  }

  #dueAt(workspaceId: string): number {
    return this.#troubles.get(workspaceId)?.untilMs ?? 0;
  }

  #pauseMs(pauses: number): number {
    return Math.min(this.pauseMs.most, this.pauseMs.first * 2 ** Math.min(pauses, 20));
  }

  #calm(workspaceId: string, published: number): void {
    const before = this.#troubles.get(workspaceId);
    if (before === undefined) return;
    const careful = before.careful - published;
    if (careful <= 0) this.#troubles.delete(workspaceId);
    else this.#troubles.set(workspaceId, { ...before, careful, untilMs: 0 });
  }
}
