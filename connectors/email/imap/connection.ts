import { Buffer } from "node:buffer";
import { once } from "node:events";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
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

/** The server ended the conversation, or said what nobody can make sense of. */
export class ImapConnectionError extends Error {
  override readonly name = "ImapConnectionError";
}

/** Nothing that is asked for gives a longer response: headers and texts are fetched in part. */
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;

const LF = "\n".charCodeAt(0);

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
   * Reads one response, with the literals in it, without its line end.
   *
   * @throws {ImapConnectionError} if the connection ends, or the response is longer than any that was asked for
   */
  async receive(): Promise<Uint8Array<ArrayBuffer>> {
    for (let lineStart = 0, searched = 0;;) {
      const end = this.#received.indexOf(LF, searched);
      if (end === -1) {
        searched = this.#received.length;
        await this.#readMore(searched + 1);
        continue;
      }
      const literal = literalLength(this.#received.subarray(lineStart, end + 1));
      if (literal === null) return this.#take(end + 1);
      lineStart = searched = end + 1 + literal;
      await this.#readMore(lineStart);
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

  #take(length: number): Uint8Array<ArrayBuffer> {
    const response = this.#received.slice(0, length);
    this.#received = this.#received.slice(length);
    const text = response.at(-2) === 13 ? length - 2 : length - 1;
    return response.subarray(0, text);
  }

  /** Reads until `length` bytes are there. */
  async #readMore(length: number): Promise<void> {
    if (length > MAX_RESPONSE_BYTES) {
      throw new ImapConnectionError(`the server's response is over ${MAX_RESPONSE_BYTES} bytes`);
    }
    const parts = [this.#received];
    let there = this.#received.length;
    while (there < length) {
      const { value } = await this.#chunks.next();
      if (!Buffer.isBuffer(value)) throw new ImapConnectionError("the server closed the connection");
      parts.push(new Uint8Array(value));
      there += value.length;
    }
    this.#received = concat(parts, there);
  }
}

function concat(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
