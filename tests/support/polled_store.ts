import assert from "node:assert/strict";
import type { Connector } from "../../connectors/kit/mod.ts";
import { createAudit } from "../../server/audit/audit.ts";
import { embeddedExchange } from "../../server/broker/embedded.ts";
import { createSealer } from "../../server/crypto/seal.ts";
import type { Confirmation, ConnectorConfig, SerializedEvent } from "../../server/deps.ts";
import type { Meter } from "../../server/metering.ts";
import type { Leases } from "../../server/poller/deps.ts";
import { createScheduler, type Scheduler } from "../../server/poller/scheduler.ts";
import type { TurnsOptions } from "../../server/poller/turns.ts";
import { auditStore } from "../../server/store/audit.ts";
import { connectorConfigStore } from "../../server/store/connector_configs.ts";
import { leaseStore } from "../../server/store/leases.ts";
import { pollerStateStore } from "../../server/store/poller_states.ts";
import { workspaceStore } from "../../server/store/workspaces.ts";
import { noMeter } from "./meter.ts";
import { SAMPLE_PASSWORD } from "./sample_poller.ts";

/** The workspace of a {@link PolledStore}. */
export const WORKSPACE = "8f14e45f-ceea-467f-a8b8-1d2f6e0b9c11";

/** A store with a clock that stands still, on which schedulers work as those of several processes do. */
export class PolledStore implements Disposable {
  /** What was published, by whichever scheduler. */
  readonly published: SerializedEvent[] = [];
  /** Takes the events; a test may put another in its place. */
  accept: (events: readonly SerializedEvent[]) => Promise<Confirmation>;
  now = new Date("2026-03-02T12:00:00.000Z");
  readonly states;
  /** What schedulers that are made from now on take; a test may put others in its place. */
  leases: Leases;
  readonly workspaces;
  readonly #configs;

  private constructor(readonly kv: Deno.Kv, sealer: Awaited<ReturnType<typeof createSealer>>) {
    this.states = pollerStateStore(kv, sealer);
    this.workspaces = workspaceStore(kv, () => new Date());
    this.leases = leaseStore(kv, () => this.now);
    this.#configs = connectorConfigStore(kv, sealer);
    const exchange = embeddedExchange();
    this.accept = async (events) => {
      this.published.push(...events);
      return await exchange.publish(events);
    };
  }

  /** Opens one, with its workspace. */
  static async open(): Promise<PolledStore> {
    const kv = await Deno.openKv(":memory:");
    const store = new PolledStore(kv, await createSealer(new Uint8Array(32)));
    await store.workspaces.createFirst({ id: WORKSPACE, name: "Acme", createdAt: store.now });
    return store;
  }

  /** A process's scheduler. */
  scheduler(
    connectors: readonly Connector[],
    { random = 0, leaseMs = 30_000, meter = noMeter, turns }: {
      random?: number;
      leaseMs?: number;
      meter?: Meter;
      turns?: TurnsOptions;
    } = {},
  ): Scheduler {
    return createScheduler({
      meter,
      ...turns && { turns },
      connectors: new Map(connectors.map((connector) => [connector.manifest.id, connector])),
      workspaces: this.workspaces,
      connectorConfigs: this.#configs,
      states: this.states,
      leases: this.leases,
      audit: createAudit({ audit: auditStore(this.kv, 86_400_000), now: () => this.now }),
      accept: (events) => this.accept(events),
      onAccepted: () => {},
      now: () => this.now,
      random: () => random,
      leaseMs,
    });
  }

  /** Saves a connector's settings. */
  async configure(connectorId: string, change: Partial<ConnectorConfig> = {}): Promise<void> {
    const stored = await this.#configs.get(WORKSPACE, connectorId);
    const next: ConnectorConfig = {
      workspaceId: WORKSPACE,
      connectorId,
      enabled: true,
      config: {},
      secrets: { password: SAMPLE_PASSWORD },
      webhookToken: "token",
      retiring: null,
      retiringToken: null,
      ...change,
    };
    assert.ok(await this.#configs.save(next, stored?.version ?? null));
  }

  /** Sets the clock on to a time of the same day, such as `"12:05:00"`, and ticks: resolves when all runs have ended. */
  async tickAt(time: string, ...schedulers: readonly Scheduler[]): Promise<void> {
    this.now = new Date(`2026-03-02T${time}Z`);
    await Promise.all(schedulers.map((scheduler) => scheduler.tick()));
    await Promise.all(schedulers.map((scheduler) => scheduler.idle()));
  }

  /** Texts of the events that were published. */
  get texts(): unknown[] {
    return this.published.map(({ event }) => event.payload.text);
  }

  [Symbol.dispose](): void {
    this.kv.close();
  }
}
