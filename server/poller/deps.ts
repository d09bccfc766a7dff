import type { Versioned } from "../deps.ts";

/** A right that one process at a time has, until it gives it back or stops renewing it. */
export interface Lease {
  /** The workspace's id, then what tells it from the workspace's others. */
  readonly name: readonly string[];
  /** Differs with each acquisition of the name: what is written under a lease checks that it is still this one. */
  readonly fence: string;
  /** Begins the lease's time anew; `false` if another has it now, or nobody. */
  renew(): Promise<boolean>;
  /** Gives it back at once; nothing happens if it was lost already. */
  release(): Promise<void>;
}

/** Rights by name, over all processes on one store. */
export interface Leases {
  /** `undefined` if somebody has it. Lost unless it is renewed within `ttlMs`, though not to the millisecond. */
  acquire(name: readonly string[], ttlMs: number): Promise<Lease | undefined>;
}

/** How far the polling of one connector has come. */
export interface PollerState {
  readonly workspaceId: string;
  readonly connectorId: string;
  /** Where the last accepted page ended; `null` before the first. */
  readonly cursor: unknown;
  /** The version of the connector's config that the newest run had: another one is polled at once. */
  readonly configVersion: string;
  /** When the newest run began; `null` if none has ended yet. */
  readonly lastRunAt: Date | null;
  /** When the source was last read to its end. */
  readonly caughtUpAt: Date | null;
  /** Why the newest run failed, in words without secrets; `null` if it did not. */
  readonly lastError: string | null;
  /** How many runs failed one after the other. */
  readonly failures: number;
  /** When the next run is due; `null`: never, as these settings are. */
  readonly nextRunAt: Date | null;
}

/** The states of pollers. They outlive being disabled. */
export interface PollerStateStore {
  /** @throws {UnreadableStateError} if it is damaged, or was sealed with another key */
  get(workspaceId: string, connectorId: string): Promise<Versioned<PollerState> | undefined>;
  /** Deletes what {@link get} cannot read, if `lease` is still held. */
  forget(workspaceId: string, connectorId: string, lease: Lease): Promise<void>;
  /**
   * Writes `next` if the stored version still is `expected` (`null`: if there is none yet) and `lease` is still held.
   * Gives what is stored now, or `undefined` if nothing was written.
   */
  save(next: PollerState, expected: string | null, lease: Lease): Promise<Versioned<PollerState> | undefined>;
}
