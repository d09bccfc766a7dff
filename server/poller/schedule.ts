import type { Poller } from "../../connectors/kit/mod.ts";
import type { ConnectorConfig, Versioned } from "../deps.ts";
import type { PollerStanding } from "../metering.ts";
import type { PollerState } from "./deps.ts";

/** A tick may come this much before its minute, by the wall clock. */
const EARLY_MS = 1000;
/** How far the clocks of processes may be apart. A run that began later than that was begun by a clock that was wrong. */
const CLOCKS_APART_MS = 60_000;

const FIRST_RETRY_MS = 60_000;
const LONGEST_RETRY_MS = 60 * 60_000;

/** Whether a poller is to be polled: its time has come, or it never was with these settings. */
export function isDue(config: Versioned<ConnectorConfig>, state: PollerState | undefined, now: Date): boolean {
  if (!config.value.enabled) return false;
  if (state === undefined || state.configVersion !== config.version) return true;
  if (state.nextRunAt === null) return false;
  // It would stand still until the clock is again where it was.
  if (state.lastRunAt !== null && state.lastRunAt.getTime() - now.getTime() > CLOCKS_APART_MS) return true;
  return state.nextRunAt.getTime() - now.getTime() <= EARLY_MS;
}

/**
 * How a poller stands: behind since its source was last read to its end while its runs fail, else since it has been due.
 * One that was never polled is not behind.
 */
export function standingOf(
  state: PollerState | undefined,
  now: Date,
): Pick<PollerStanding, "behindMs" | "isFailing"> {
  if (state === undefined) return { behindMs: 0, isFailing: false };
  const isFailing = state.failures > 0;
  const since = isFailing ? state.caughtUpAt ?? state.lastRunAt : state.nextRunAt;
  return { behindMs: Math.max(0, now.getTime() - (since ?? now).getTime()), isFailing };
}

/** When the schedule wants the next run after one that was due at `dueAt` and ended at `ended`, perhaps a bit early. */
export function nextRunAfter(poller: Poller, ended: Date, dueAt: Date): Date | null {
  const early = dueAt > ended && dueAt.getTime() - ended.getTime() <= EARLY_MS;
  return poller.nextRun(early ? dueAt : ended);
}

/**
 * When a run that failed for the `failures`-th time is tried again at the earliest: from a minute on twice as late each
 * time, up to an hour, less by a random part of up to half, so that what fails together is not retried together.
 */
export function retryAt(failures: number, now: Date, random: number): Date {
  const longest = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1));
  return new Date(now.getTime() + longest * (1 - random / 2));
}
