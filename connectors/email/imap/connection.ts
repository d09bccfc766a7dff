import { Buffer } from "node:buffer";
import { once } from "node:events";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { concat, ImapConnectionError, ImapResponse } from "./response.ts";
import { literalLength } from "./tokens.ts";

/** Where a server is, and how the way to it is secured. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte, TLS after STARTTLS, or none at all. */
  readonly tls: "implicit" | "starttls" | "none";
  /** PEM of the authority to trust; default: the well-known ones. */
  readonly certificateAuthority?: string | undefined;
}

const LF = "\n".charCodeAt(0);
/** As much of a line's end as tells of a literal that follows. */
const LINE_END_BYTES = 16;

/**
 * A connection to an IMAP server: lines out, responses in. Closes when `signal` aborts.
 *
 * By `node:tls`: in Deno 2.9.6 closing a `Deno.TlsConn` whose handshake hangs leaves its socket open for ever.
 */
export class ImapConnection implements Disposable {
  #socket: Socket;
  #chunks: AsyncIterator<unknown>;
  #received: Uint8Array<ArrayBuffer> = new Uint8Array();
  readonly #address: ServerAddress;
  readonly #signal: AbortSignal;
  readonly #close = () => {
    this.#socket.destroy();
  };

  private constructor(address: ServerAddress, signal: AbortSignal) {
    this.#address = address;
    this.#signal = signal;
    const { host, port } = address;
    this.#socket = address.tls === "implicit" ? connectTls({ port, ...this.#trust() }) : connectTcp({ host, port });
    this.#chunks = this.#listen();
    signal.addEventListener("abort", this.#close);
  }

  /**
   * Connects, with TLS where that comes first.
   *
   * @throws what the system and the TLS handshake throw
   */
  static async open(address: ServerAddress, signal: AbortSignal): Promise<ImapConnection> {
    signal.throwIfAborted();
    const connection = new ImapConnection(address, signal);
    try {
      await once(connection.#socket, address.tls === "implicit" ? "secureConnect" : "connect", { signal });
      return connection;
    } catch (error) {
      connection[Symbol.dispose]();
      throw error;
    }
  }

  /**
   * Goes on in TLS.
   *
   * @throws {ImapConnectionError} if something was sent ahead in clear text: it would pass for the server's own words
   * @throws what the TLS handshake throws
   */
  async startTls(): Promise<void> {
    const plain = this.#socket;
    if (this.#received.length > 0 || plain.readableLength > 0) {
      throw new ImapConnectionError("something came between STARTTLS and TLS");
    }
    this.#socket = connectTls({ socket: plain, ...this.#trust() });
    this.#chunks = this.#listen();
    await once(this.#socket, "secureConnect", { signal: this.#signal });
  }

  /** Sends a line; its end is added. */
  async send(line: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#socket.write(`${line}\r\n`, (error) => error ? reject(error) : resolve());
    await promise;
  }

  /**
   * Reads one response, with the literals in it, without its line end. What is told of a mail at greater length than
   * anybody reads is passed over, as if it had not been told.
   *
   * @throws {ImapConnectionError} if the connection ends, or the response is longer than any that was asked for
   */
  async receive(): Promise<Uint8Array<ArrayBuffer>> {
    for (;;) {
      const response = new ImapResponse();
      for (;;) {
        const literal = literalLength(await this.#readLine(response));
        if (literal === null) break;
        response.expect(literal);
        for (let left = literal; left > 0;) left -= await this.#readSome(response, left);
      }
      const { bytes } = response;
      if (bytes !== null) return bytes;
    }
  }

  [Symbol.dispose](): void {
    this.#signal.removeEventListener("abort", this.#close);
    this.#close();
  }

  /** Whose certificate to accept, and of whom. An IP address is looked for in it, but is no name to ask for (RFC 6066). */
  #trust(): { host: string; servername?: string; ca?: string[] } {
    const { host, certificateAuthority } = this.#address;
    return {
      host,
      ...(isIP(host) === 0 && { servername: host }),
      ...(certificateAuthority !== undefined && { ca: [certificateAuthority] }),
    };
  }

  #listen(): AsyncIterator<unknown> {
    // Whoever waits is told of an error; one that comes while nobody does is no reason to end the process.
    this.#socket.on("error", () => {});
    return this.#socket.iterator({ destroyOnReturn: false });
  }

  /** Reads the rest of a line, and gives its last bytes. */
  async #readLine(response: ImapResponse): Promise<Uint8Array<ArrayBuffer>> {
    for (let end = new Uint8Array();;) {
      if (this.#received.length === 0) await this.#readMore();
      const line = this.#received.subarray(0, this.#received.indexOf(LF) + 1 || undefined);
      await this.#readSome(response, line.length);
      end = concat([end, line]).slice(-LINE_END_BYTES);
      if (line.at(-1) === LF) return end;
    }
  }

  /** Reads what is there, or comes next, but not more than `most` bytes, and gives how many. */
  async #readSome(response: ImapResponse, most: number): Promise<number> {
    if (this.#received.length === 0) await this.#readMore();
    const part = this.#received.subarray(0, most);
    response.add(part);
    this.#received = this.#received.subarray(part.length);
    return part.length;
  }

  async #readMore(): Promise<void> {
    const { value } = await this.#chunks.next();
    if (!Buffer.isBuffer(value)) throw new ImapConnectionError("the server closed the connection");
    this.#received = new Uint8Array(value);
  }
}
