import { readEvent, type StreamEvent } from "./event.ts";
import { matcher, type StreamFilter } from "./filter.ts";
import { Shelf, type ShelfLimits } from "./shelf.ts";

/** A message of the stream, unread. */
export interface StreamMessage {
  /** The event's id. */
  readonly id: string;
  readonly data: string;
}

/** How far back a repeat of an event is recognized. */
const REMEMBERED_IDS = 20_000;

const LIMITS: ShelfLimits = { events: 1000, chars: 16_000_000 };

/**
 * What has come on a live stream: the newest events in bounded memory, those of them that a filter leaves, and while it
 * is paused, those that wait. An event that comes again, as after a reconnect, is dropped.
 */
export class Feed {
  readonly #shown: Shelf;
  readonly #waiting: Shelf;
  readonly #seen = new Set<string>();
  #matches: (event: StreamEvent) => boolean;
  #matched: StreamEvent[] = [];
  #paused = false;
  #seq = 0;

  /** @param limits Of what is shown and, once more, of what waits. */
  constructor(filter: StreamFilter, limits: ShelfLimits = LIMITS) {
    this.#matches = matcher(filter);
    this.#shown = new Shelf(limits);
    this.#waiting = new Shelf(limits);
  }

  /** Those of the events held that match the filter: the newest last. */
  get matched(): readonly StreamEvent[] {
    return this.#matched;
  }

  /** How many events came, are held, came too long ago to be held, and wait. */
  get counts(): { readonly came: number; readonly held: number; readonly older: number; readonly waiting: number } {
    const { added: came, events: { length: held } } = this.#shown;
    return { came, held, older: came - held, waiting: this.#waiting.added };
  }

  /** Takes messages, the newest last, and gives how many events that match came to be shown. */
  add(messages: readonly StreamMessage[], arrivedAt: number): number {
    const events: StreamEvent[] = [];
    for (const { id, data } of messages) {
      if (this.#repeated(id)) continue;
      const event = readEvent(data, this.#seq++, arrivedAt);
      if (event !== undefined) events.push(event);
    }
    if (!this.#paused) return this.#show(events);
    this.#waiting.add(events);
    return 0;
  }

  /** Lets events wait, from now on. */
  pause(): void {
    this.#paused = true;
  }

  /** Shows those that waited, and gives how many of them match. */
  resume(): number {
    this.#paused = false;
    const { events, added } = this.#waiting;
    this.#waiting.clear();
    return this.#show(events, added - events.length);
  }

  /** Sets the filter. */
  filter(filter: StreamFilter): void {
    this.#matches = matcher(filter);
    this.#matched = this.#shown.events.filter(this.#matches);
  }

  /** Forgets the events and counts anew; what came once stays known, so that it does not come back. */
  clear(): void {
    this.#shown.clear();
    this.#waiting.clear();
    this.#matched = [];
  }

  #show(events: readonly StreamEvent[], unheld = 0): number {
    const matching = events.filter(this.#matches);
    this.#shown.add(events, unheld);
    this.#matched.push(...matching);
    const oldest = this.#shown.events[0]?.seq ?? 0;
    const held = this.#matched.findIndex(({ seq }) => seq >= oldest);
    if (held > 0) this.#matched.splice(0, held);
    if (held < 0) this.#matched = [];
    return matching.length;
  }

  #repeated(id: string): boolean {
    if (id === "") return false;
    if (this.#seen.has(id)) return true;
    this.#seen.add(id);
    if (this.#seen.size > REMEMBERED_IDS) { for (const oldest of this.#seen) return !this.#seen.delete(oldest); }
    return false;
  }
}
