import { type PrivateNode, settle } from "../../tests/support/rabbitmq.ts";
import { TcpProxy } from "../../tests/support/tcp_proxy.ts";
import { LedgerConsumer, type QueueType } from "./consumer.ts";
import { Ledger } from "./ledger.ts";
import { Load } from "./load.ts";
import { Service } from "./service.ts";

/** How hard a run is, and how long its faults last. */
export interface RigOptions {
  readonly queueType: QueueType;
  readonly lanes: number;
  readonly workspaces: number;
  /** Deliveries a second. */
  readonly perSecond: number;
  /** By how much all waits of a scenario are shortened: 1 for a real run, less in tests. */
  readonly pace: number;
  /** How long what was accepted may take to arrive when the fault is over, and how long a step of a scenario may take. */
  readonly deadlineMs: number;
}

/** Where a scenario puts the service. */
export interface RigPlace {
  readonly node: PrivateNode;
  /** Holds the store; empty. */
  readonly folder: string;
  /** A module to run before the service. */
  readonly preload?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** Did not happen in time. */
export class StalledError extends Error {}

const POLL_MS = 5;

/** A broker, the service, its load and its consumer, with all that a scenario does harm to. */
export class Rig implements AsyncDisposable {
  private constructor(
    readonly options: RigOptions,
    readonly node: PrivateNode,
    readonly proxy: TcpProxy,
    readonly service: Service,
    readonly consumer: LedgerConsumer,
    readonly load: Load,
    readonly workspaceIds: readonly string[],
    readonly ledger: Ledger,
  ) {}

  /** Builds one, with the load on; it is to be disposed of. */
  static async build({ node, folder, preload, env }: RigPlace, options: RigOptions): Promise<Rig> {
    const clock = () => performance.now();
    const ledger = new Ledger(clock);
    const exchange = `chaos.${crypto.randomUUID()}`;
    await using undo = new AsyncDisposableStack();
    const consumer = undo.use(await LedgerConsumer.bind(node.url, exchange, { queueType: options.queueType, ledger }));
    await settle(node);
    const proxy = undo.use(TcpProxy.before(node.url));
    const broker = { AMQP_URL: proxy.through(node.url), AMQP_EXCHANGE: exchange };
    const service = undo.use(new Service(folder, { ...broker, ...env }, preload));
    await service.start();
    const targets = await service.setUp(options.workspaces);
    const load = new Load({ ...options, targets, ledger, clock });
    undo.move();
    const ids = targets.map(({ workspaceId }) => workspaceId);
    return new Rig(options, node, proxy, service, consumer, load, ids, ledger);
  }

  /** Lets time pass under load. */
  async wait(ms: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, ms * this.options.pace));
  }

  /** Resolves when `holds`. Throws {@link StalledError} after the deadline. */
  async until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
    const { deadlineMs } = this.options;
    const giveUpAt = performance.now() + deadlineMs;
    while (!await holds()) {
      if (performance.now() > giveUpAt) throw new StalledError(`after ${deadlineMs / 1000} s not yet: ${what}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  /** Resolves when that many more deliveries were answered with `status`. */
  async answered(status: number, count: number): Promise<void> {
    const of = () => this.load.statuses.get(status) ?? 0;
    const target = of() + count;
    await this.until(`${count} answers with ${status === 0 ? "nothing" : status}`, () => of() >= target);
  }

  /** Resolves when that many more events have come. */
  async received(count: number): Promise<void> {
    const target = this.ledger.received + count;
    await this.until(`${count} events come`, () => this.ledger.received >= target);
  }

  /** Resolves when the service has its broker and nothing in the spool. */
  async drained(): Promise<void> {
    await this.until("the spool is empty", async () => {
      const state = await this.service.readiness();
      return state !== undefined && state.brokerOk && state.spooled === 0;
    });
  }

  /** Resolves when everything that was accepted has come. */
  async settled(): Promise<void> {
    await this.until("everything accepted has come", () => {
      this.consumer.keepGoing();
      return this.ledger.outstanding === 0;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.load.stop();
    await this.service[Symbol.asyncDispose]();
    await this.proxy[Symbol.asyncDispose]();
    await this.consumer[Symbol.asyncDispose]();
  }
}
