import type { StreamEvent } from "./event.ts";

/** How much is held: whichever is reached first. */
export interface ShelfLimits {
  readonly events: number;
  /** Of all events' JSON together; the newest event is held whatever its length. */
  readonly chars: number;
}

/** The newest events, oldest first, within limits. */
export class Shelf {
  #events: StreamEvent[] = [];
  #chars = 0;
  #added = 0;

  constructor(private readonly limits: ShelfLimits) {}

  /** What it holds. */
  get events(): readonly StreamEvent[] {
    return this.#events;
  }

  /** How many were ever added, held or not. */
  get added(): number {
    return this.#added;
  }

  /** Adds events; older ones go to make room. `unheld` is how many came among these that need not be held. */
  add(events: readonly StreamEvent[], unheld: number = 0): void {
    this.#added += events.length + unheld;
    for (const event of events) {
      this.#events.push(event);
      this.#chars += event.json.length;
    }
    let gone = 0;
    const excess = () => this.#events.length - gone > this.limits.events || this.#chars > this.limits.chars;
    while (gone < this.#events.length - 1 && excess()) this.#chars -= this.#events[gone++]?.json.length ?? 0;
    if (gone > 0) this.#events.splice(0, gone);
  }

  /** Empties it, and counts anew. */
  clear(): void {
    this.#events = [];
    this.#chars = 0;
    this.#added = 0;
  }
}
