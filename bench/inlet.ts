import { z } from "zod";
import { serviceCommand } from "../scripts/service_command.ts";
import { SECRET } from "./deliveries.ts";
import { ServerProcess } from "./server_process.ts";

const POLL_MS = 20;

const workspaceSchema = z.object({ workspaceId: z.string() });
const configuredSchema = z.object({ webhookUrl: z.string() });
const readinessSchema = z.object({
  checks: z.object({
    broker: z.object({ ok: z.boolean() }),
    spool: z.object({ entries: z.int() }).optional(),
  }),
});

/** A place where deliveries go to. */
export interface Source {
  readonly workspaceId: string;
  /** The path of its webhook URL. */
  readonly path: string;
}

/** The real service, as `deno task start` runs it. */
export class Inlet implements AsyncDisposable {
  #process: ServerProcess | undefined;
  /** Where deliveries go to; made by {@link setUp}. */
  sources: readonly Source[] = [];

  /**
   * @param folder Holds the store.
   * @param env Settings beside the store and the port.
   * @param checkout Where the service's code is; default: in this repository.
   */
  constructor(
    readonly folder: string,
    private readonly env: Readonly<Record<string, string>>,
    private readonly checkout?: string,
  ) {}

  /** The running process. */
  get process(): ServerProcess {
    if (this.#process === undefined) throw new Error("Cannot use the service: it does not run");
    return this.#process;
  }

  /** The webhook URLs. */
  get urls(): string[] {
    return this.sources.map(({ path }) => `${this.process.url}${path}`);
  }

  /** The URL of the first workspace's live stream. */
  get streamUrl(): string {
    return `${this.process.url}/events/stream?workspaceId=${this.sources[0]?.workspaceId}`;
  }

  /** Starts it with `env` beside the settings that it always has, and resolves when it answers. */
  async start(env: Readonly<Record<string, string>> = {}): Promise<void> {
    this.#process = await ServerProcess.start({
      args: await serviceCommand(this.folder),
      env: { KV_PATH: `${this.folder}/inlet.sqlite3`, ...this.env, ...env },
      cwd: this.checkout,
    });
  }

  /** Stops it; its store stays. */
  async stop(): Promise<void> {
    await this.#process?.stop();
    this.#process = undefined;
  }

  /** Makes workspaces with a GitHub source each. */
  async setUp(workspaces: number): Promise<void> {
    const made: Source[] = [];
    for (let index = 0; index < workspaces; index++) {
      const [path, name] = index === 0 ? ["/setup", "Bench"] : ["/workspaces", `Bench ${index}`];
      const { workspaceId } = workspaceSchema.parse(await this.#post(path, { workspaceName: name }));
      const settings = { workspaceId, enabled: true, config: {}, secrets: { webhookSecret: SECRET } };
      const { webhookUrl } = configuredSchema.parse(await this.#post("/connectors/github/configure", settings));
      made.push({ workspaceId, path: new URL(webhookUrl).pathname });
    }
    this.sources = made;
  }

  /** Whether it has its broker, and how many events wait in its spool. */
  async state(): Promise<{ readonly hasBroker: boolean; readonly spooled: number }> {
    const response = await fetch(`${this.process.url}/readyz`);
    const { broker, spool } = readinessSchema.parse(await response.json()).checks;
    return { hasBroker: broker.ok, spooled: spool?.entries ?? 0 };
  }

  /** Resolves when it has its broker: its start does not wait for a slow one. */
  async connected(): Promise<void> {
    while (!(await this.state()).hasBroker) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }

  async #post(path: string, body: unknown): Promise<unknown> {
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${this.process.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    return await response.json();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}
