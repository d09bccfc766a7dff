/** What a scripted server says to a line of the client: `tag` is the line's first word, `rest` what follows. */
export type Answer = (line: { readonly tag: string; readonly rest: string }) => string | undefined;

/** A server that says what real ones rarely do. Without TLS. */
export class ScriptedServer implements AsyncDisposable {
  readonly port: number;
  /** The lines that clients have sent. */
  readonly lines: string[] = [];
  readonly #listener: Deno.TcpListener;
  readonly #serving = new Set<Promise<void>>();
  readonly #connections = new Set<Deno.Conn>();

  /**
   * @param greeting What it says first; nothing if it is empty.
   * @param answer What it says to a line.
   * @param onConnection Called when somebody connects.
   */
  constructor(readonly greeting: string, readonly answer: Answer, readonly onConnection: () => void = () => {}) {
    this.#listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    this.port = this.#listener.addr.port;
    this.#accept().catch(() => {});
  }

  /** Resolves when clients have closed all their connections. */
  async idle(): Promise<void> {
    await Promise.all(this.#serving);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    for (const connection of this.#connections) connection.close();
    await this.idle();
  }

  async #accept(): Promise<void> {
    for await (const connection of this.#listener) {
      this.onConnection();
      this.#connections.add(connection);
      this.#serving.add(this.#serve(connection).catch(() => {}));
    }
  }

  async #serve(connection: Deno.TcpConn): Promise<void> {
    const say = async (text: string) => {
      const bytes = new TextEncoder().encode(text);
      for (let sent = 0; sent < bytes.length;) sent += await connection.write(bytes.subarray(sent));
    };
    await say(this.greeting);
    let unfinished = "";
    const buffer = new Uint8Array(65_536);
    for (let count = await connection.read(buffer); count !== null; count = await connection.read(buffer)) {
      const lines = (unfinished + new TextDecoder().decode(buffer.subarray(0, count))).split("\r\n");
      unfinished = lines.pop() ?? "";
      for (const line of lines) {
        this.lines.push(line);
        const [tag = "", ...rest] = line.split(" ");
        await say(this.answer({ tag, rest: rest.join(" ") }) ?? "");
      }
    }
  }
}
