import { z } from "zod";
import { freePorts } from "./ports.ts";

/** What the start task printed when it ended, and how it ended. */
export interface Ended {
  readonly code: number;
  readonly output: string;
}

/** What is run, and where, if not this repository's Deno in its root. */
interface Place {
  readonly program?: string;
  readonly cwd?: string | URL;
}

const ROOT = new URL("../..", import.meta.url);

/** The real service in a process of its own, started by the command that the README gives. */
export class InletProcess implements AsyncDisposable {
  #output = "";
  #ended: Promise<Ended>;

  private constructor(
    readonly url: string,
    /** Holds the store and the key; removed with the process unless it was given. */
    readonly folder: string,
    private readonly process: Deno.ChildProcess,
    private readonly keepFolder: boolean,
    private readonly adminToken: string | undefined,
  ) {
    const read = Promise.all([this.#read(process.stdout), this.#read(process.stderr)]);
    this.#ended = (async () => {
      const { code } = await process.status;
      await read;
      return { code, output: this.#output };
    })();
  }

  /**
   * Runs `deno task start` with `env`, on a free port and in a new folder unless those are given, until it answers and
   * knows whether it has its broker: a slow one it does not wait for, and spools what comes before that.
   */
  static async start(
    options: { env?: Record<string, string>; folder?: string; command?: readonly string[] } & Place = {},
  ): Promise<InletProcess> {
    const inlet = await InletProcess.spawn(options);
    const failed = inlet.ended().then(({ output }) => {
      throw new Error(`Cannot test: the service did not start\n${output}`);
    });
    await Promise.race([inlet.#untilReady(), failed]);
    failed.catch(() => {});
    return inlet;
  }

  /** Like {@link start}, and does not wait for an answer: for starts that are to fail. */
  static async spawn(
    { env = {}, folder, command = ["task", "start"], program = Deno.execPath(), cwd = ROOT }: {
      env?: Record<string, string>;
      folder?: string | undefined;
      command?: readonly string[];
    } & Place = {},
  ): Promise<InletProcess> {
    const port = env.PORT ?? String(freePorts(1)[0]);
    const where = folder ?? await Deno.makeTempDir({ prefix: "inlet-test-" });
    const { TEST_AMQP_URL: _, ...inherited } = Deno.env.toObject();
    const process = new Deno.Command(program, {
      args: command.map((word) => word.replace("{port}", port)),
      cwd,
      clearEnv: true,
      // What other tests do to the broker and its disk at the same time is no reason to spool.
      env: {
        ...inherited,
        NO_COLOR: "1",
        PUBLISH_TIMEOUT: "1m",
        KV_PATH: `${where}/inlet.sqlite3`,
        PORT: port,
        ...env,
      },
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    return new InletProcess(`http://localhost:${port}`, where, process, folder !== undefined, env.ADMIN_TOKEN);
  }

  /** All that it printed so far. */
  get output(): string {
    return this.#output;
  }

  /** The process id of the task; signals to it reach the service. */
  get pid(): number {
    return this.process.pid;
  }

  /** Resolves when `text` was printed; rejects, with all that was printed, if the process ends before. */
  async printed(text: string): Promise<void> {
    let hasEnded = false;
    this.#ended.then(() => hasEnded = true);
    while (!this.#output.includes(text)) {
      if (hasEnded) throw new Error(`Cannot test: the service ended and did not print ${text}\n${this.#output}`);
      await pause();
    }
  }

  /** Resolves when the process has ended by itself. */
  ended(): Promise<Ended> {
    return this.#ended;
  }

  /** Asks it to stop, as a supervisor does. */
  async stop(signal: Deno.Signal = "SIGTERM"): Promise<Ended> {
    this.process.kill(signal);
    return await this.#ended;
  }

  /** Asks as the administrator. */
  async ask(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.adminToken !== undefined) headers.set("authorization", `Bearer ${this.adminToken}`);
    return await fetch(`${this.url}${path}`, { ...init, headers });
  }

  /** Sends JSON and reads the JSON that comes back. */
  async post(path: string, body: unknown): Promise<unknown> {
    const headers = { "content-type": "application/json" };
    return await (await this.ask(path, { method: "POST", headers, body: JSON.stringify(body) })).json();
  }

  /** Creates the first workspace and gives its id. */
  async setUp(): Promise<string> {
    return z.object({ workspaceId: z.string() }).parse(await this.post("/setup", { workspaceName: "Acme" }))
      .workspaceId;
  }

  /** Enables a connector and gives its webhook URL. */
  async enable(
    workspaceId: string,
    connectorId: string,
    secrets: Record<string, unknown>,
    config: Record<string, unknown> = {},
  ): Promise<string> {
    const change = { workspaceId, enabled: true, config, secrets };
    const saved = await this.post(`/connectors/${connectorId}/configure`, change);
    return z.object({ webhookUrl: z.string() }, { error: () => JSON.stringify(saved) }).parse(saved).webhookUrl;
  }

  /** Polls a source now, and gives how many events came of it; again where the service polls it by itself just then. */
  async poll(workspaceId: string, connectorId: string): Promise<number> {
    for (;;) {
      const answer = await this.post(`/connectors/${connectorId}/poll`, { workspaceId });
      const polled = polledSchema.parse(answer, { error: () => `${JSON.stringify(answer)}\n${this.output}` });
      if ("published" in polled) return polled.published;
      await pause();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.process.kill("SIGTERM");
    } catch {
      // It has ended already.
    }
    await this.#ended;
    if (!this.keepFolder) await Deno.remove(this.folder, { recursive: true });
  }

  async #read(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) this.#output += text;
  }

  async #untilReady(): Promise<void> {
    while (
      !await fetch(`${this.url}/healthz`).then(async (response) => (await response.json()).ok).catch(() => false)
    ) {
      await pause();
    }
    while (await this.#isConnecting()) await pause();
  }

  /** Whether it has not heard yet whether there is a broker. */
  async #isConnecting(): Promise<boolean> {
    const readiness: unknown = await (await fetch(`${this.url}/readyz`)).json();
    return readinessSchema.parse(readiness).checks.broker.detail === "connecting to the broker";
  }
}

const readinessSchema = z.object({ checks: z.object({ broker: z.object({ detail: z.string() }) }) });
const polledSchema = z.union([
  z.object({ ok: z.literal(true), published: z.int() }),
  z.object({ status: z.literal(409) }),
]);

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}
