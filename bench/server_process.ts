import { variables } from "../server/config.ts";
import { type CleanupGuard, guardCleanup } from "../tests/support/cleanup_guard.ts";
import { freePorts } from "../tests/support/ports.ts";

/** How a server is started. */
export interface ServerCommand {
  /** Arguments of `deno`. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Where it is started; default: in this repository. */
  readonly cwd?: string | URL | undefined;
}

const POLL_MS = 20;
/** Ticks of `/proc/<pid>/stat` a second, on every Linux that Deno runs on (`getconf CLK_TCK`). */
const TICKS_PER_SECOND = 100;
/** How much of what a server says is kept. */
const LAST_WORDS = 4000;

/** A server in a process of its own, which ends with this one in any case. */
export class ServerProcess implements AsyncDisposable {
  #said = "";
  #ended = false;

  private constructor(
    /** Without a trailing slash. */
    readonly url: string,
    private readonly process: Deno.ChildProcess,
    private readonly guard: CleanupGuard,
  ) {
    this.#listen();
  }

  /**
   * Starts one on a free port, which it is told as `PORT`, and resolves when `/healthz` answers.
   *
   * @throws {Error} if it ends in three tries (somebody else may take a port first); the message holds its last words
   */
  static async start(command: ServerCommand): Promise<ServerProcess> {
    for (let tries = 1;; tries++) {
      try {
        return await ServerProcess.#startOnce(command);
      } catch (error) {
        if (tries === 3) throw error;
      }
    }
  }

  static async #startOnce({ args, env = {}, cwd = ROOT }: ServerCommand): Promise<ServerProcess> {
    const [port = 0] = freePorts(1);
    const process = new Deno.Command(Deno.execPath(), {
      args: [...args],
      cwd,
      clearEnv: true,
      env: { ...surroundings(), NO_COLOR: "1", ...env, PORT: String(port) },
      // What it logs goes nowhere, as with a service whose log is a file: the writing is part of what is measured.
      stdout: "null",
      stderr: "piped",
    }).spawn();
    const guard = guardCleanup('kill -9 "$1"', [String(process.pid)]);
    const server = new ServerProcess(`http://127.0.0.1:${port}`, process, guard);
    try {
      await server.#untilHealthy();
      return server;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  /**
   * Memory that it holds, in bytes (the resident set).
   *
   * @throws {Error} if it has ended
   */
  async memoryBytes(): Promise<number> {
    const { stdout, success } = await new Deno.Command("ps", { args: ["-o", "rss=", "-p", String(this.process.pid)] })
      .output();
    if (!success) throw new Error("Cannot measure memory: the server has ended");
    return Number(new TextDecoder().decode(stdout)) * 1024;
  }

  /** Time that it took of a processor since its start, in milliseconds; `NaN` where the system is not Linux. */
  async cpuMs(): Promise<number> {
    if (Deno.build.os !== "linux") return NaN;
    const stat = await Deno.readTextFile(`/proc/${this.process.pid}/stat`);
    // The name of the program stands in parentheses and may hold blanks; utime and stime are the 14th and 15th field.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 1000 / TICKS_PER_SECOND;
  }

  /** Asks it to stop, and resolves when it has. */
  async stop(): Promise<void> {
    try {
      this.process.kill("SIGTERM");
    } catch {
      // It has ended already.
    }
    await this.process.status;
    await this.guard.release();
  }

  async #listen(): Promise<void> {
    for await (const text of this.process.stderr.pipeThrough(new TextDecoderStream())) {
      this.#said = (this.#said + text).slice(-LAST_WORDS);
    }
    this.#ended = true;
  }

  async #untilHealthy(): Promise<void> {
    while (!await fetch(`${this.url}/healthz`).then(async (response) => (await response.json()).ok, () => false)) {
      if (this.#ended) throw new Error(`Cannot measure: a server did not start\n${this.#said}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

const ROOT = new URL("..", import.meta.url);

/** The environment without what would set the service otherwise than a scenario says. */
function surroundings(): Record<string, string> {
  const settings = new Set(variables().map(({ name }) => name));
  return Object.fromEntries(Object.entries(Deno.env.toObject()).filter(([name]) => !settings.has(name)));
}
