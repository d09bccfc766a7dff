import type { SpoolHealth, SpoolState } from "../deps.ts";
import { counted, formatBytes } from "../words.ts";

/** With less room than this, deliveries are refused before long. */
const LITTLE_BYTES = 64 * 1024;
const LITTLE_PART = 0.01;

const TIME_UNITS = [["day", 86_400], ["hour", 3600], ["minute", 60], ["second", 1]] as const;

/** Puts the state of the spool into words. */
export function spoolHealth(
  state: SpoolState,
  { isRefusing, unwritable, problem, now }: {
    /** Whether something did not fit of late. */
    readonly isRefusing: boolean;
    /** Why nothing can be stored in it. */
    readonly unwritable: string | undefined;
    /** Why it cannot be emptied though there is a broker. */
    readonly problem: string | undefined;
    readonly now: Date;
  },
): SpoolHealth {
  const { events, bytes, deadLetters, limitBytes, oldestAt } = state;
  const isFull = isRefusing || limitBytes - bytes <= Math.min(LITTLE_BYTES, limitBytes * LITTLE_PART);
  const held = oldestAt === undefined
    ? "no event waits"
    : `${counted(events, "event")} waiting for the broker, the oldest for ${
      inTime((now.getTime() - oldestAt.getTime()) / 1000)
    }`;
  const setAside = deadLetters === 0 ? "" : `${counted(deadLetters, "dead letter")}, `;
  const size = `${formatBytes(bytes)} of ${formatBytes(limitBytes)}`;
  const broken = unwritable === undefined ? problem : `it cannot be written (KV_PATH): ${unwritable}`;
  const fault = broken === undefined ? isFull ? "full (SPOOL_MAX_BYTES): " : "" : `broken: ${broken}; `;
  const detail = `${fault}${held}, ${setAside}${size}`;
  const takesEvents = !isFull && unwritable === undefined;
  return { ok: fault === "", takesEvents, detail, entries: events, bytes, state };
}

function inTime(seconds: number): string {
  const [unit, length] = TIME_UNITS.find(([, length]) => seconds >= length) ?? ["second", 1];
  return counted(Math.max(0, Math.floor(seconds / length)), unit);
}
