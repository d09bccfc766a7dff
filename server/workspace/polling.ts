import type { ConnectorConfig, Versioned } from "../deps.ts";
import { UnreadableStateError } from "../errors.ts";
import type { PollerState, PollerStateStore } from "../poller/deps.ts";

/** How the polling of a connector goes. */
export interface PollerView {
  /** When the newest run began. */
  readonly lastRunAt: Date | null;
  /** When the next run is due, at the earliest; `null` while the connector is off, or if its schedule never comes. */
  readonly nextRunAt: Date | null;
  /** Why the newest run failed; `null` if it did not. */
  readonly lastError: string | null;
  /** How many runs failed one after the other. */
  readonly failures: number;
  /** For how long the source has not been read to its end, in milliseconds; `null` if it never was. */
  readonly lagMs: number | null;
}

/** Looks how the polling of a connector goes, or why that cannot be read. */
export async function pollerView(
  { workspaceId, connectorId }: Pick<ConnectorConfig, "workspaceId" | "connectorId">,
  config: Versioned<ConnectorConfig> | undefined,
  { pollerStates, now }: { readonly pollerStates: PollerStateStore; readonly now: () => Date },
): Promise<PollerView> {
  try {
    return viewOf(config, (await pollerStates.get(workspaceId, connectorId))?.value, now());
  } catch (error) {
    if (!(error instanceof UnreadableStateError)) throw error;
    return { ...viewOf(config, undefined, now()), lastError: error.message };
  }
}

function viewOf(config: Versioned<ConnectorConfig> | undefined, state: PollerState | undefined, now: Date): PollerView {
  const { lastRunAt = null, lastError = null, failures = 0, caughtUpAt = null } = state ?? {};
  const scheduled = state?.configVersion === config?.version ? state?.nextRunAt ?? null : now;
  const nextRunAt = config?.value.enabled !== true || scheduled === null ? null : scheduled > now ? scheduled : now;
  const lagMs = caughtUpAt && Math.max(0, now.getTime() - caughtUpAt.getTime());
  return { lastRunAt, nextRunAt, lastError, failures, lagMs };
}
