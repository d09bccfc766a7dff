import { z } from "zod";
import { InletProcess } from "../../tests/support/inlet.ts";
import { LANE_SECRET } from "../../tests/support/lanes.ts";
import { freePorts } from "../../tests/support/ports.ts";
import { serviceCommand } from "../service_command.ts";
import type { Target } from "./load.ts";

const readinessSchema = z.object({
  checks: z.object({
    broker: z.object({ ok: z.boolean(), unrouted: z.int() }),
    spool: z.object({ ok: z.boolean(), entries: z.int() }),
  }),
});
const workspaceSchema = z.object({ workspaceId: z.string() });
const lettersSchema = z.array(z.unknown());

/** What a service can be asked about its broker and its spool. */
export interface Readiness {
  readonly brokerOk: boolean;
  /** `undefined` while the spool cannot be read, or takes nothing. */
  readonly spooled: number | undefined;
  /** Events since its start that the broker confirmed though no queue was bound for them. */
  readonly unrouted: number;
}

/** The real service with the permissions of its start task, which can be killed and started again on its store. */
export class Service implements AsyncDisposable {
  readonly #port = String(freePorts(1)[0]);
  #inlet: InletProcess | undefined;
  #isExpectedToRun = false;
  /** What it said before it ended by itself, if it did. */
  fell: string | undefined;

  constructor(
    readonly folder: string,
    private readonly env: Readonly<Record<string, string>>,
    private readonly preload?: string,
  ) {}

  /** Where it is reached. */
  get url(): string {
    return `http://localhost:${this.#port}`;
  }

  /** Starts it, unless it runs, and resolves when it answers. */
  async start(): Promise<void> {
    if (this.#isExpectedToRun) return;
    const inlet = await InletProcess.start({
      command: await serviceCommand(this.folder, this.preload),
      folder: this.folder,
      env: { LOG_LEVEL: "warning", ...this.env, PORT: this.#port },
    });
    this.#inlet = inlet;
    this.#isExpectedToRun = true;
    inlet.ended().then(({ code, output }) => {
      if (this.#isExpectedToRun && this.#inlet === inlet) this.fell = `code ${code}: ${output.slice(-2000)}`;
    });
  }

  /** Ends it at once. */
  async kill(): Promise<void> {
    this.#isExpectedToRun = false;
    await this.#inlet?.stop("SIGKILL");
  }

  /** Moves the time of day that it sees; see shifted_clock.ts, which is to be preloaded. */
  jump(): void {
    if (this.#inlet !== undefined) Deno.kill(this.#inlet.pid, "SIGUSR2");
  }

  /** Makes workspaces with a signed source each. */
  async setUp(workspaces: number): Promise<Target[]> {
    const inlet = this.#inlet;
    if (inlet === undefined) throw new Error("Cannot set up the service: it was not started");
    const targets: Target[] = [];
    for (let index = 0; index < workspaces; index++) {
      const workspaceId = index === 0
        ? await inlet.setUp()
        : workspaceSchema.parse(await inlet.post("/workspaces", { workspaceName: `Chaos ${index}` })).workspaceId;
      targets.push({
        workspaceId,
        webhookUrl: await inlet.enable(workspaceId, "github", { webhookSecret: LANE_SECRET }),
      });
    }
    return targets;
  }

  /** How it is; `undefined` if it does not answer. */
  async readiness(): Promise<Readiness | undefined> {
    try {
      const response = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(5000) });
      const { checks } = readinessSchema.parse(await response.json());
      const { ok: brokerOk, unrouted } = checks.broker;
      return { brokerOk, unrouted, spooled: checks.spool.ok ? checks.spool.entries : undefined };
    } catch {
      return undefined;
    }
  }

  /** How many events of a workspace it gave up to publish, and keeps as dead letters. */
  async deadLetters(workspaceId: string): Promise<number> {
    const response = await fetch(`${this.url}/dead-letters?workspaceId=${workspaceId}`);
    return lettersSchema.parse(await response.json()).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isExpectedToRun = false;
    await this.#inlet?.[Symbol.asyncDispose]();
  }
}
