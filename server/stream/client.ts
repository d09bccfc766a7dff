import type { SerializedEvent } from "../deps.ts";

/** What a stream needs to know of an event. */
export interface ShownEvent extends Pick<SerializedEvent, "json"> {
  readonly event: Pick<SerializedEvent["event"], "id" | "workspaceId">;
}

/** How many live events wait while a client reads what it missed; with more it is too slow. */
const MOST_HELD = 100_000;
/**
 * How many of the events that were replayed last may still come live: they were on their way when the journal was read.
 * After as many live events none does any more.
 */
const MOST_OVERLAP = 2000;

/** One client of the live stream: a body that is written to, and dropped rather than let grow. */
export class StreamClient {
  readonly stream: ReadableStream<Uint8Array>;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #pulled = Promise.withResolvers<void>();
  /** By id, in order. */
  #held: Map<string, ShownEvent> | undefined;
  readonly #replayed = new Set<string>();
  #liveSinceReplay = 0;
  #ended = false;

  constructor(
    maxUnreadBytes: number,
    private readonly encode: (events: readonly ShownEvent[]) => Uint8Array,
    onCancel: () => void,
  ) {
    this.stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
      pull: () => {
        this.#pulled.resolve();
        this.#pulled = Promise.withResolvers();
      },
      cancel: () => {
        this.#ended = true;
        this.#pulled.resolve();
        onCancel();
      },
    }, new ByteLengthQueuingStrategy({ highWaterMark: maxUnreadBytes }));
  }

  /** Sends a chunk that holds `events`; `false` if the client has not read what was sent before. */
  send(chunk: Uint8Array, events: readonly ShownEvent[]): boolean {
    if (this.#ended || this.#controller === undefined) return true;
    if (this.#held !== undefined) {
      for (const event of events) this.#held.set(event.event.id, event);
      return this.#held.size <= MOST_HELD;
    }
    if ((this.#controller.desiredSize ?? 0) <= 0) return false;
    const fresh = this.#notReplayed(events);
    if (fresh.length === events.length) this.#controller.enqueue(chunk);
    else if (fresh.length > 0) this.#controller.enqueue(this.encode(fresh));
    return true;
  }

  #notReplayed(events: readonly ShownEvent[]): readonly ShownEvent[] {
    if (this.#replayed.size === 0) return events;
    const fresh = events.filter(({ event }) => !this.#replayed.has(event.id));
    this.#liveSinceReplay += events.length;
    if (this.#liveSinceReplay > MOST_OVERLAP) this.#replayed.clear();
    return fresh;
  }

  /** From now on live events wait, until {@link release}. */
  hold(): void {
    this.#held = new Map();
  }

  /** Sends something ahead of the live events that wait, as fast as the client reads; `false` if it has gone. */
  async replay(chunk: Uint8Array, id?: string): Promise<boolean> {
    while (!this.#ended && (this.#controller?.desiredSize ?? 0) <= 0) await this.#pulled.promise;
    if (this.#ended) return false;
    // What is replayed comes live before it or after it.
    if (id !== undefined && !this.#held?.delete(id)) this.#remember(id);
    this.#controller?.enqueue(chunk);
    return true;
  }

  /** Gives, and has wait no more, the live events that came before the one with `id`, if that waits. */
  takeBefore(id: string): ShownEvent[] {
    const taken: ShownEvent[] = [];
    if (!this.#held?.has(id)) return taken;
    for (const event of this.#held.values()) {
      if (event.event.id === id) break;
      this.#held.delete(event.event.id);
      if (!this.#replayed.has(event.event.id)) taken.push(event);
    }
    return taken;
  }

  #remember(id: string): void {
    this.#replayed.add(id);
    if (this.#replayed.size > MOST_OVERLAP) {
      for (const oldest of this.#replayed.values().take(1)) this.#replayed.delete(oldest);
    }
  }

  /** Sends the live events that waited and were not replayed, and goes on with those that come. */
  release(): void {
    const held = this.#notReplayed([...this.#held?.values() ?? []]);
    this.#held = undefined;
    if (held.length > 0 && !this.#ended) this.#controller?.enqueue(this.encode(held));
  }

  /** Ends the stream; the client connects again on its own. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#pulled.resolve();
    this.#controller?.close();
  }
}
