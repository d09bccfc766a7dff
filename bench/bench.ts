import { guardCleanup } from "../tests/support/cleanup_guard.ts";
import { BoundQueue } from "./bound_queue.ts";
import type { Turns } from "./contender.ts";
import { SECRET } from "./deliveries.ts";
import { Generator } from "./generator.ts";
import { Inlet } from "./inlet.ts";
import { ServerProcess } from "./server_process.ts";
import type { Subject } from "./subject.ts";

/** How much is measured, and on what. */
export interface BenchSettings extends Turns {
  /** A broker that may be loaded. */
  readonly amqpUrl: string;
  /** Deliveries after which memory is looked at. */
  readonly deliveries: number;
  /** Events in the spool that is drained. */
  readonly spooled: number;
  /** Rows in the large journal. */
  readonly rows: number;
  /** Where the service's code is; default: in this repository. */
  readonly checkout?: string | undefined;
}

/** How {@link Bench.inlet} starts the service. */
export interface InletOptions {
  /** Settings that are not the default. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: one. */
  readonly workspaces?: number;
}

/** The real service, whose events are counted in its queue. */
export interface PublishingInlet extends Required<Subject> {
  readonly inlet: Inlet;
}

/** What a scenario measures with. Everything that it starts ends with it. */
export class Bench implements AsyncDisposable {
  readonly #undo = new AsyncDisposableStack();
  readonly generator: Generator;

  constructor(readonly settings: BenchSettings) {
    this.generator = this.#undo.use(new Generator());
  }

  /** Another load generator, for streams that are open during the load. */
  listener(): Generator {
    return this.#undo.use(new Generator());
  }

  /** A new folder, which is removed in the end. */
  async folder(): Promise<string> {
    const folder = await Deno.makeTempDir({ prefix: "inlet-bench-" });
    // Whoever writes there may just be ending too.
    const guard = guardCleanup('rm -rf "$1" || { sleep 1; rm -rf "$1"; }', [folder]);
    this.#undo.defer(() => guard.release());
    return folder;
  }

  /** A queue on the broker. */
  async queue(): Promise<BoundQueue> {
    return this.#undo.use(await BoundQueue.bind(this.settings.amqpUrl));
  }

  /** Starts the real service on a new store, and makes its workspaces. */
  async inlet({ env = {}, workspaces = 1 }: InletOptions = {}): Promise<Inlet> {
    const inlet = this.#undo.use(new Inlet(await this.folder(), env, this.settings.checkout));
    await inlet.start();
    await inlet.setUp(workspaces);
    return inlet;
  }

  /** Starts another process of a service on its store. */
  async another({ folder, sources }: Inlet, env: Readonly<Record<string, string>>): Promise<Inlet> {
    const inlet = this.#undo.use(new Inlet(folder, env, this.settings.checkout));
    inlet.sources = sources;
    await inlet.start();
    return inlet;
  }

  /** The real service, publishing to a queue of its own. */
  async published(name: string, { env, ...options }: InletOptions = {}): Promise<PublishingInlet> {
    const queue = await this.queue();
    const inlet = await this.inlet({ ...options, env: { ...queue.env, ...env } });
    await inlet.connected();
    return {
      name,
      inlet,
      // Another start gives it another port.
      get urls() {
        return inlet.urls;
      },
      get processes() {
        return [inlet.process];
      },
      does: "published",
      arrived: () => queue.empty(),
    };
  }

  /** Starts one of the servers in `bench/servers`. */
  async server(script: string, env: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
    const args = ["run", "--no-prompt", "-A", new URL(`servers/${script}`, import.meta.url).href];
    return this.#undo.use(await ServerProcess.start({ args, env: { SECRET, ...env } }));
  }

  /** The bare script: verify, publish the body or only who sent it with confirm, and nothing else. */
  async bareScript(publishes: "body" | "sender" = "body"): Promise<Subject> {
    const queue = await this.queue();
    const server = await this.server("bare.ts", { ...queue.env, PUBLISHES: publishes });
    return {
      name: publishes === "body" ? "the bare script" : "the bare script, publishing 1 KB",
      urls: [`${server.url}/webhooks/github`],
      processes: [server],
      does: "published",
      arrived: () => queue.empty(),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#undo.disposeAsync();
  }
}
