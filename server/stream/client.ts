import type { SerializedEvent } from "../deps.ts";

/** How many live events wait while a client reads what it missed; with more it is too slow. */
const MOST_HELD = 100_000;

/** One client of the live stream: a body that is written to, and dropped rather than let grow. */
export class StreamClient {
  readonly stream: ReadableStream<Uint8Array>;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #pulled = Promise.withResolvers<void>();
  #held: SerializedEvent[] | undefined;
  readonly #replayed = new Set<string>();
  #ended = false;

  constructor(maxUnreadBytes: number, onCancel: () => void) {
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
  send(chunk: Uint8Array, events: readonly SerializedEvent[]): boolean {
    if (this.#ended || this.#controller === undefined) return true;
    if (this.#held !== undefined) {
      this.#held.push(...events);
      return this.#held.length <= MOST_HELD;
    }
    if ((this.#controller.desiredSize ?? 0) <= 0) return false;
    this.#controller.enqueue(chunk);
    return true;
  }

  /** From now on live events wait, until {@link release}. */
  hold(): void {
    this.#held = [];
  }

  /** Sends something ahead of the live events that wait, as fast as the client reads. */
  async replay(chunk: Uint8Array, id?: string): Promise<void> {
    while (!this.#ended && (this.#controller?.desiredSize ?? 0) <= 0) await this.#pulled.promise;
    if (this.#ended) return;
    if (id !== undefined) this.#replayed.add(id);
    this.#controller?.enqueue(chunk);
  }

  /** Sends the live events that waited and were not replayed, and goes on with those that come. */
  release(encode: (events: readonly SerializedEvent[]) => Uint8Array): void {
    const held = this.#held?.filter(({ event }) => !this.#replayed.has(event.id)) ?? [];
    this.#held = undefined;
    this.#replayed.clear();
    if (held.length > 0 && !this.#ended) this.#controller?.enqueue(encode(held));
  }

  /** Ends the stream; the client connects again on its own. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#pulled.resolve();
    this.#controller?.close();
  }
}
