import { EventSource } from "eventsource";

/** A client of the live stream, as an application would have it: npm `eventsource`. */
export class StreamClient implements Disposable {
  /** The messages so far: `lastEventId` and `data`. */
  readonly messages: { id: string; data: string }[] = [];
  readonly #source: EventSource;
  #arrived: () => void = () => {};

  private constructor(source: EventSource) {
    this.#source = source;
    source.addEventListener("message", ({ lastEventId, data }) => {
      this.messages.push({ id: lastEventId, data: String(data) });
      this.#arrived();
    });
  }

  /** Connects, with `headers` if they are given; resolves when the stream is open. */
  static async open(
    baseUrl: string,
    workspaceId: string,
    headers: Record<string, string> = {},
  ): Promise<StreamClient> {
    const source = new EventSource(`${baseUrl}/events/stream?workspaceId=${workspaceId}`, {
      fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, ...headers } }),
    });
    const client = new StreamClient(source);
    await new Promise<void>((resolve) => source.addEventListener("open", () => resolve(), { once: true }));
    return client;
  }

  /** Resolves when `count` messages have come. */
  async until(count: number): Promise<readonly { id: string; data: string }[]> {
    while (this.messages.length < count) await new Promise<void>((resolve) => this.#arrived = resolve);
    return this.messages;
  }

  [Symbol.dispose](): void {
    this.#source.close();
  }
}
