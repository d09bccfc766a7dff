import { freePorts } from "./ports.ts";

/** Stands between a client and a server on this machine, so that a test can take the network away. */
export class TcpProxy implements AsyncDisposable {
  readonly #target: Deno.ConnectOptions;
  readonly #connections = new Set<Deno.Conn>();
  #listener: Deno.TcpListener;
  #stalled: PromiseWithResolvers<void> | undefined;
  readonly #forsaken: PromiseWithResolvers<void>[] = [];
  #awaited: { readonly text: string; readonly act: () => void } | undefined;
  readonly #port: number;

  constructor(target: { hostname: string; port: number }) {
    this.#target = target;
    // One that nobody takes while the proxy is down.
    const [port = 0] = freePorts(1);
    this.#port = port;
    this.#listener = Deno.listen({ hostname: "127.0.0.1", port });
    this.#accept(this.#listener);
  }

  /** `url` with the proxy's address in place of the server's. */
  static before(url: string): TcpProxy {
    const { hostname, port } = new URL(url);
    return new TcpProxy({ hostname, port: Number(port || 5672) });
  }

  /** `url` as it reaches its server through the proxy. */
  through(url: string): string {
    const changed = new URL(url);
    changed.hostname = "127.0.0.1";
    changed.port = String(this.#port);
    return changed.href;
  }

  /** Cuts all connections and refuses new ones. */
  down(): void {
    this.#listener.close();
    this.cut();
  }

  /** Accepts connections again, on the same port. */
  async up(): Promise<void> {
    for (;;) {
      try {
        this.#listener = Deno.listen({ hostname: "127.0.0.1", port: this.#port });
        this.#accept(this.#listener);
        return;
      } catch (error) {
        // The port is free once the accept that was under way has ended.
        if (!(error instanceof Deno.errors.AddrInUse)) throw error;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
  }

  /** Cuts all connections; new ones are accepted. */
  cut(): void {
    for (const connection of this.#connections) {
      try {
        connection.close();
      } catch {
        // Whoever was at the other end has closed it already.
      }
    }
    this.#connections.clear();
  }

  /** Calls `act` the next time that a client says `text`, before the server hears it. */
  when(text: string, act: () => void): void {
    this.#awaited = { text, act };
  }

  /** Holds back what the server says; the connections stay. */
  stall(): void {
    this.#stalled ??= Promise.withResolvers();
  }

  /** Lets through what {@link stall} held back. */
  resume(): void {
    this.#stalled?.resolve();
    this.#stalled = undefined;
  }

  /** Lets through what comes over new connections; those that {@link stall} holds up stay so. */
  forsake(): void {
    if (this.#stalled !== undefined) this.#forsaken.push(this.#stalled);
    this.#stalled = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.resume();
    for (const { resolve } of this.#forsaken) resolve();
    try {
      this.#listener.close();
    } catch {
      // It is down already.
    }
    this.cut();
    await Promise.resolve();
  }

  async #accept(listener: Deno.TcpListener): Promise<void> {
    try {
      for await (const client of listener) this.#join(client).catch(() => client.close());
    } catch {
      // The listener was closed.
    }
  }

  async #join(client: Deno.Conn): Promise<void> {
    const server = await Deno.connect({ transport: "tcp", ...this.#target });
    this.#connections.add(client).add(server);
    const hold = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: async (chunk, controller) => {
        await this.#stalled?.promise;
        controller.enqueue(chunk);
      },
    });
    const text = new TextDecoder();
    const listen = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (chunk, controller) => {
        const awaited = this.#awaited;
        if (awaited !== undefined && text.decode(chunk).includes(awaited.text)) {
          this.#awaited = undefined;
          awaited.act();
        }
        controller.enqueue(chunk);
      },
    });
    await Promise.allSettled([
      client.readable.pipeThrough(listen).pipeTo(server.writable),
      server.readable.pipeThrough(hold).pipeTo(client.writable),
    ]);
    this.#connections.delete(client);
    this.#connections.delete(server);
  }
}
