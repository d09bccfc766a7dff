import { Buffer } from "node:buffer";

/** What each event of a live stream has once: JSON has no raw line breaks. */
const MARK = Buffer.from("\ndata: {");
const BUFFER_BYTES = 256 * 1024;

/** Clients of a live stream, which read all that comes and count the events in it. */
export class Listeners implements Disposable {
  readonly #connections: Deno.TcpConn[] = [];
  readonly #heard: number[];
  #least = 0;
  /** How many have heard no more than that. */
  #behind: number;
  #failure: Error | undefined;
  #closed = false;
  #progress = Promise.withResolvers<void>();

  private constructor(clients: number) {
    this.#heard = Array.from({ length: clients }, () => 0);
    this.#behind = clients;
  }

  /** Opens `clients` streams; resolves when each has been answered. */
  static async open(url: string, clients: number): Promise<Listeners> {
    const listeners = new Listeners(clients);
    for (let client = 0; client < clients; client++) await listeners.#open(new URL(url), client);
    return listeners;
  }

  /** How many events each client has heard, at least. */
  get least(): number {
    return this.#least;
  }

  /** How many events a client has heard, at most. */
  get most(): number {
    return Math.max(...this.#heard);
  }

  /**
   * Resolves when some client has heard something.
   *
   * @throws {Error} if a stream has ended
   */
  async progress(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    await this.#progress.promise;
  }

  async #open({ port, host, pathname, search }: URL, client: number): Promise<void> {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port: Number(port) });
    this.#connections.push(connection);
    // To HTTP/1.0 a server sends the stream as it is: a frame of HTTP/1.1 could lie in the middle of a mark.
    await connection.write(Buffer.from(`GET ${pathname}${search} HTTP/1.0\r\nhost: ${host}\r\n\r\n`));
    const buffer = Buffer.alloc(BUFFER_BYTES);
    const read = await connection.read(buffer) ?? 0;
    const answer = buffer.toString("latin1", 0, read);
    if (!answer.startsWith("HTTP/1.0 200 ")) throw new Error(`Cannot listen: ${statusLine(answer)}`);
    this.#listen(connection, buffer, client).catch((error) => this.#fail(error));
  }

  async #listen(connection: Deno.TcpConn, buffer: Buffer, client: number): Promise<void> {
    // The end of what was read before: a mark may have begun in it.
    let kept = 0;
    for (;;) {
      const read = await connection.read(buffer.subarray(kept));
      if (read === null) throw new Error("a live stream has ended");
      const filled = kept + read;
      const found = count(buffer.subarray(0, filled));
      kept = Math.min(filled, MARK.length - 1);
      buffer.copy(buffer, 0, filled - kept, filled);
      if (found > 0) this.#hear(client, found);
    }
  }

  #hear(client: number, found: number): void {
    const before = this.#heard[client] ?? 0;
    this.#heard[client] = before + found;
    if (before > this.#least || --this.#behind > 0) return;
    this.#least = Math.min(...this.#heard);
    this.#behind = this.#heard.filter((heard) => heard === this.#least).length;
    this.#wake();
  }

  #fail(error: unknown): void {
    if (this.#closed) return;
    this.#failure = new Error(`Cannot listen: ${error instanceof Error ? error.message : error}`);
    this.#wake();
  }

  #wake(): void {
    this.#progress.resolve();
    this.#progress = Promise.withResolvers();
  }

  [Symbol.dispose](): void {
    this.#closed = true;
    for (const connection of this.#connections) connection.close();
  }
}

function count(bytes: Buffer): number {
  let found = 0;
  for (let at = bytes.indexOf(MARK); at >= 0; at = bytes.indexOf(MARK, at + MARK.length)) found++;
  return found;
}

function statusLine(answer: string): string {
  return answer.slice(0, answer.indexOf("\r\n"));
}
