/** Stands between a client and a server on this machine, counts, and calls when the server has said so much. */
export class CountingProxy implements Disposable {
  readonly port: number;
  /** Bytes from the server so far, over all connections. */
  bytes = 0;
  /** Connections so far. */
  connections = 0;
  readonly #listener: Deno.TcpListener;
  readonly #open = new Set<Deno.Conn>();
  readonly #clients = new Set<Promise<void>>();

  /** @param at Bytes from the server at which `then` is called once; what comes after waits for it. */
  constructor(target: number, readonly at = Infinity, readonly then: () => Promise<void> = async () => {}) {
    this.#listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    this.port = this.#listener.addr.port;
    this.#accept(target).catch(() => {});
  }

  /** Resolves when clients have closed all their connections. */
  async idle(): Promise<void> {
    await Promise.all(this.#clients);
  }

  /** Cuts all connections. */
  cut(): void {
    for (const connection of this.#open) {
      try {
        connection.close();
      } catch {
        // The other end has closed it.
      }
    }
    this.#open.clear();
  }

  [Symbol.dispose](): void {
    this.#listener.close();
    this.cut();
  }

  async #accept(target: number): Promise<void> {
    for await (const client of this.#listener) {
      const server = await Deno.connect({ port: target });
      this.#open.add(client).add(server);
      this.connections++;
      this.#clients.add(client.readable.pipeTo(server.writable).catch(() => {}));
      server.readable.pipeThrough(this.#counted()).pipeTo(client.writable).catch(() => {});
    }
  }

  #counted(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
    return new TransformStream({
      transform: async (chunk, controller) => {
        const before = this.bytes;
        this.bytes += chunk.length;
        if (before < this.at && this.bytes >= this.at) await this.then();
        controller.enqueue(chunk);
      },
    });
  }
}
