/** Requests written by hand, for what no HTTP client would send. */

/** What a request got: the answer as it came, and what became of the connection. */
export interface RawAnswer {
  /** `undefined` if the connection ended without an answer. */
  readonly status: number | undefined;
  readonly text: string;
}

const encoder = new TextEncoder();
const CHUNK_BYTES = 256 * 1024;

/** A request on a connection of its own. */
export class RawRequest implements Disposable {
  #text = "";
  readonly #answered: Promise<void>;

  private constructor(private readonly connection: Deno.TcpConn) {
    this.#answered = this.#read();
  }

  /** Connects and sends a POST's head, with `headers` as given. */
  static async post(url: string, headers: Record<string, string>): Promise<RawRequest> {
    const { hostname, port, pathname, host } = new URL(url);
    const request = new RawRequest(await Deno.connect({ hostname, port: Number(port) }));
    const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    await request.send(encoder.encode(`POST ${pathname} HTTP/1.1\r\n${lines.join("")}\r\n`));
    return request;
  }

  /** Sends some of the body, as far as the other end takes it. */
  async send(bytes: Uint8Array): Promise<void> {
    try {
      for (let at = 0; at < bytes.length;) at += await this.connection.write(bytes.subarray(at, at + CHUNK_BYTES));
    } catch (error) {
      // Who refuses a request may close the connection before it is sent whole.
      const closed = error instanceof Deno.errors.BrokenPipe || error instanceof Deno.errors.ConnectionReset;
      if (!closed) throw error;
    }
  }

  /** Resolves when an answer has come, or the connection ended. */
  async answer(): Promise<RawAnswer> {
    await this.#answered;
    const status = /^HTTP\/1\.1 (\d{3})/.exec(this.#text)?.[1];
    return { status: status === undefined ? undefined : Number(status), text: this.#text };
  }

  async #read(): Promise<void> {
    const buffer = new Uint8Array(16_384);
    const decoder = new TextDecoder();
    try {
      while (!/\r\n\r\n[^]*\}$/.test(this.#text)) {
        const bytes = await this.connection.read(buffer);
        if (bytes === null) return;
        this.#text += decoder.decode(buffer.subarray(0, bytes), { stream: true });
      }
    } catch (error) {
      // The last two are of a request that was disposed of.
      const { ConnectionReset, Interrupted, BadResource } = Deno.errors;
      if (![ConnectionReset, Interrupted, BadResource].some((kind) => error instanceof kind)) throw error;
    }
  }

  [Symbol.dispose](): void {
    this.connection.close();
  }
}
