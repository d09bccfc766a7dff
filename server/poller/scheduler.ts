import { getLogger } from "@logtape/logtape";
import { type Connector, type PollerConnector, PollError } from "../../connectors/kit/mod.ts";
import type { Audit } from "../audit/audit.ts";
import type { ConnectorConfig, Versioned, WorkspaceStore } from "../deps.ts";
import type { Meter, PollerStanding } from "../metering.ts";
import type { Lease, Leases } from "./deps.ts";
import { ConflictError, messageOf, StoppingError, UnreadableStateError } from "../errors.ts";
import { requireConnector } from "../workspace/settings.ts";
import { requireWorkspace } from "../workspace/setup.ts";
import { type RunParts, runPoller } from "./run.ts";
import { isDue, standingOf } from "./schedule.ts";
import { Turns, type TurnsOptions } from "./turns.ts";

/** How a poll that somebody asked for is made. */
export interface PollOptions {
  /** Forgets where the last poll ended: events begin now. Default: no. */
  readonly startAnew?: boolean;
}

/** Polls the sources that are called: of all processes on one store, one at a time polls a connector. */
export interface Scheduler {
  /**
   * Starts a run of every poller that is due, a few at a time, the workspaces in turns; resolves when they wait for theirs,
   * not when they have ended.
   */
  tick(): Promise<void>;
  /**
   * Polls a connector now, due or not, and gives the number of events that were published.
   *
   * @throws {NotFoundError} if the connector or the workspace is unknown
   * @throws {ConflictError} if it is no poller, not enabled, or polled already at this moment
   * @throws {UnreadableStateError} if where its last poll ended cannot be read, and is not to be forgotten
   * @throws {UnreadableSettingsError} if its settings cannot be read
   * @throws {PollError} if the source could not be asked
   * @throws {StoppingError} if the service stops meanwhile
   */
  pollNow(workspaceId: string, connectorId: string, options?: PollOptions): Promise<number>;
  /** Whether this process polls the connector at this moment. */
  isPolling(workspaceId: string, connectorId: string): boolean;
  /** Resolves when no run is under way or waits for its turn. */
  idle(): Promise<void>;
  /** Ends the runs of a workspace that is gone. */
  end(workspaceId: string): Promise<void>;
  /** Starts nothing more, ends the runs under way and gives back their leases. */
  stop(): Promise<void>;
}

/** What {@link createScheduler} works with. */
export interface SchedulerParts extends RunParts {
  readonly connectors: ReadonlyMap<string, Connector>;
  readonly workspaces: WorkspaceStore;
  readonly leases: Leases;
  readonly audit: Pick<Audit, "note">;
  readonly meter: Pick<Meter, "polled" | "pollersStand">;
  /** How long a lease holds without being renewed; default 30 s. */
  readonly leaseMs?: number;
  /** How many runs that a tick starts are begun at a time; default {@link RUNS_AT_A_TIME}. */
  readonly turns?: TurnsOptions;
}

/**
 * A run may hold a feed of 10 MiB and what is read out of it: after a start, when all are due, that times the number of
 * workspaces would be too much. Sources that hang hold up the others for `placeMs`, not until each is given up.
 */
const RUNS_AT_A_TIME: TurnsOptions = { places: 8, placeMs: 10_000 };

const log = getLogger(["inlet", "poller"]);

interface UnderWay {
  readonly workspaceId: string;
  readonly run: Promise<unknown>;
  /** Ends it. */
  readonly ended: AbortController;
}

/** Makes a scheduler. Each run leaves one line in the log; one that found nothing, only at the level debug. */
export function createScheduler(parts: SchedulerParts): Scheduler {
  const { connectors, connectorConfigs, workspaces, states, leases, audit, meter, now, leaseMs = 30_000 } = parts;
  const turns = new Turns(parts.turns ?? RUNS_AT_A_TIME);
  const stopping = new AbortController();
  const underWay = new Map<string, UnderWay>();

  /** Calls `work` while this process has the lease; `undefined` if another has it, or a run of ours. */
  async function leased<T>(
    { workspaceId, connectorId }: ConnectorConfig,
    work: (lease: Lease, signal: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> {
    const name = [workspaceId, "poll", connectorId];
    const key = name.join("/");
    if (underWay.has(key) || stopping.signal.aborted) return undefined;
    const ended = new AbortController();
    const run = (async () => {
      const lease = await leases.acquire(name, leaseMs);
      if (lease === undefined) return undefined;
      const timer = setInterval(() => keep(lease, ended), leaseMs / 3);
      try {
        return await work(lease, AbortSignal.any([stopping.signal, ended.signal]));
      } finally {
        clearInterval(timer);
        await lease.release().catch((error) =>
          log.warning("cannot give back the lease {key}: {error}", { key, error })
        );
      }
    })();
    underWay.set(key, { workspaceId, run, ended });
    try {
      return await run;
    } finally {
      underWay.delete(key);
    }
  }

  async function run(
    connector: PollerConnector,
    { value: { workspaceId, connectorId } }: Versioned<ConnectorConfig>,
    { lease, signal, asked, startAnew = false }: { lease: Lease; signal: AbortSignal; asked: boolean } & PollOptions,
  ): Promise<number | undefined> {
    const began = now();
    const facts = () => ({ workspaceId, connectorId, durationMs: now().getTime() - began.getTime() });
    try {
      // Another process may have been quicker since they were read: they are read again under the lease.
      const config = await connectorConfigs.get(workspaceId, connectorId);
      const state = await states.get(workspaceId, connectorId).catch(async (error) => {
        if (!startAnew || !(error instanceof UnreadableStateError)) throw error;
        await states.forget(workspaceId, connectorId, lease);
        return undefined;
      });
      // The settings of a workspace that is removed may be there a moment longer.
      const isThere = await workspaces.get(workspaceId) !== undefined;
      if (!isThere || config?.value.enabled !== true) return undefined;
      if (!asked && !isDue(config, state?.value, now())) return undefined;
      const published = await runPoller(parts, { connector, config, state, lease, signal, startAnew });
      meter.polled(connectorId, "succeeded");
      if (published > 0) {
        log.info("polled {connectorId}: {published} published in {durationMs} ms", { ...facts(), published });
      } else log.debug("polled {connectorId}: nothing new, in {durationMs} ms", facts());
      return published;
    } catch (error) {
      if (stopping.signal.aborted) throw new StoppingError("Cannot poll: the service is stopping");
      meter.polled(connectorId, "failed");
      const reason = messageOf(error);
      log.warning("cannot poll {connectorId}: {reason} after {durationMs} ms", { ...facts(), reason });
      throw error;
    }
  }

  /** Has a poller that is due run in its turn; gives how it stood before, `undefined` if it is none or is off. */
  async function startDue(config: Versioned<ConnectorConfig>): Promise<PollerStanding | undefined> {
    const connector = connectors.get(config.value.connectorId);
    if (connector?.type !== "poller" || !config.value.enabled) return undefined;
    const { workspaceId, connectorId } = config.value;
    let state;
    try {
      state = await states.get(workspaceId, connectorId);
    } catch (error) {
      if (!(error instanceof UnreadableStateError)) throw error;
      // No lease is taken for it: another process may have the key.
      meter.polled(connectorId, "failed");
      log.error("{reason}", { workspaceId, connectorId, reason: error.message });
      return { connectorId, behindMs: 0, isFailing: true };
    }
    const standing = { connectorId, ...standingOf(state?.value, now()) };
    if (!isDue(config, state?.value, now())) return standing;
    turns.take(workspaceId, connectorId, () =>
      leased(config.value, async (lease, signal) => {
        // A run tells of its failure itself.
        await run(connector, config, { lease, signal, asked: false }).catch(() => {});
      }).catch((error) => log.error("cannot start a poll: {error}", { error })));
    return standing;
  }

  return {
    async tick() {
      if (stopping.signal.aborted) return;
      const standings: PollerStanding[] = [];
      for (const config of await connectorConfigs.list()) {
        try {
          const standing = await startDue(config);
          if (standing !== undefined) standings.push(standing);
        } catch (error) {
          log.error("cannot start a poll: {error}", { error });
        }
      }
      meter.pollersStand(standings);
    },
    async pollNow(workspaceId, connectorId, options = {}) {
      const connector = requireConnector(connectors, connectorId);
      await requireWorkspace(workspaces, workspaceId);
      const { name } = connector.manifest;
      if (connector.type !== "poller") {
        throw new ConflictError(`Cannot poll ${name}: it is a webhook connector, its source calls us`);
      }
      const config = await connectorConfigs.get(workspaceId, connectorId);
      if (config?.value.enabled !== true) throw new ConflictError(`Cannot poll ${name}: it is not enabled`);
      if (stopping.signal.aborted) throw new StoppingError("Cannot poll: the service is stopping");
      const published = await leased(
        config.value,
        async (lease, signal) => {
          const detail = options.startAnew ? "from now on, forgetting what came before" : "";
          await audit.note({ action: "polled", workspaceId, subject: connectorId, detail });
          return await run(connector, config, { ...options, lease, signal, asked: true });
        },
      );
      if (published !== undefined) return published;
      throw new ConflictError(`Cannot poll ${name}: it is being polled at this moment`);
    },
    isPolling: (workspaceId, connectorId) => underWay.has([workspaceId, "poll", connectorId].join("/")),
    async idle() {
      await turns.idle();
      while (underWay.size > 0) await Promise.allSettled(underWay.values().map(({ run }) => run));
    },
    async end(workspaceId) {
      turns.drop(workspaceId);
      const own = underWay.values().filter((under) => under.workspaceId === workspaceId).toArray();
      for (const { ended } of own) ended.abort(new PollError("Cannot go on polling: the workspace was removed"));
      await Promise.allSettled(own.map(({ run }) => run));
    },
    async stop() {
      stopping.abort(new PollError("Cannot poll: the service is stopping"));
      turns.drop();
      await this.idle();
    },
  };
}

/** Renews a lease; a store that cannot be asked may be there again the next time, and until then the fence holds. */
async function keep(lease: Lease, ended: AbortController): Promise<void> {
  const kept = await lease.renew().catch(() => true);
  if (!kept) ended.abort(new PollError("Cannot go on polling: another process has taken over"));
}
