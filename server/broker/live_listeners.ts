import type { Listener, SerializedEvent, Told } from "../deps.ts";

/** Those in this process who are given events as they are announced. */
export class LiveListeners {
  readonly #listeners = new Set<{ readonly listener: Listener }>();

  get size(): number {
    return this.#listeners.size;
  }

  /** Gives a function that ends it. */
  add(listener: Listener): () => void {
    const listening = { listener };
    this.#listeners.add(listening);
    return () => this.#listeners.delete(listening);
  }

  /** Gives events to each of them. */
  tell(events: readonly SerializedEvent[], told?: Told): void {
    for (const { listener } of this.#listeners) listener(events, told);
  }

  clear(): void {
    this.#listeners.clear();
  }
}
