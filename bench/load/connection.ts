import { Buffer } from "node:buffer";

/** What a server answered. */
export interface Answer {
  readonly status: number;
  readonly body: string;
}

const LENGTH = /\r\ncontent-length: (\d+)\r\n/i;
/** Answers to deliveries are far smaller. */
const MOST_ANSWER_BYTES = 16 * 1024;

/**
 * One HTTP/1.1 connection that is kept alive and has one request under way at a time. It writes requests as they are and
 * reads no more of an answer than status and body: `fetch` would cost the machine more than some of what is measured.
 */
export class Connection implements Disposable {
  readonly #buffer = Buffer.alloc(MOST_ANSWER_BYTES);

  private constructor(private readonly tcp: Deno.TcpConn) {}

  /** Connects to a port of 127.0.0.1. */
  static async open(port: number): Promise<Connection> {
    const tcp = await Deno.connect({ hostname: "127.0.0.1", port });
    tcp.setNoDelay(true);
    return new Connection(tcp);
  }

  /**
   * Sends a request and reads the answer.
   *
   * @throws {Error} if the connection ends, or the answer does not say how long it is
   */
  async send(request: Uint8Array): Promise<Answer> {
    for (let written = 0; written < request.length;) written += await this.tcp.write(request.subarray(written));
    for (let filled = 0;;) {
      const read = await this.tcp.read(this.#buffer.subarray(filled));
      if (read === null) throw new Error("Cannot read the answer: the server closed the connection");
      filled += read;
      const answer = parse(this.#buffer.toString("latin1", 0, filled));
      if (answer !== undefined) return answer;
    }
  }

  [Symbol.dispose](): void {
    this.tcp.close();
  }
}

/** The answer in what was read so far; `undefined` if it is not whole yet. */
function parse(text: string): Answer | undefined {
  const headEnd = text.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const length = LENGTH.exec(text)?.[1];
  if (length === undefined) throw new Error(`Cannot read the answer: it has no length: ${text.slice(0, headEnd)}`);
  const start = headEnd + 4;
  const end = start + Number(length);
  return text.length < end ? undefined : { status: Number(text.slice(9, 12)), body: text.slice(start, end) };
}
