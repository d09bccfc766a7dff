import type { Connector } from "../../connectors/kit/mod.ts";
import type { ConnectorConfig } from "../deps.ts";
import { InvalidInputError } from "../errors.ts";

/** The longest time for which what was replaced is accepted beside what replaced it: 30 days, in milliseconds. */
const MAX_OVERLAP_MS = 30 * 24 * 60 * 60 * 1000;

/** The parts of a config that were replaced and are still accepted. */
export type Retirements = Pick<ConnectorConfig, "retiring" | "retiringToken">;

/** What can be replaced with an overlap. */
export const REPLACEABLE = ["secrets", "url"] as const;

/** One of {@link REPLACEABLE}. */
export type Replaceable = (typeof REPLACEABLE)[number];

/** How long what is replaced just now is to be accepted, and for whom. */
export interface Overlap {
  readonly connector: Connector;
  readonly enabled: boolean;
  readonly keepMs: number;
  readonly now: Date;
  /** Where the input says how long: a JSON Pointer. */
  readonly pointer: string;
}

/**
 * When what is replaced just now ends; `null`: at once.
 *
 * @throws {InvalidInputError} if there can be no overlap, or it is to be longer than {@link MAX_OVERLAP_MS}
 */
export function overlapEnd({ connector, enabled, keepMs, now, pointer }: Overlap): Date | null {
  if (keepMs === 0) return null;
  const detail = connector.type === "poller"
    ? "must be 0 (not at all): nobody sends to a poller"
    : !enabled
    ? "must be 0 (not at all) while the connector is off"
    : keepMs > MAX_OVERLAP_MS
    ? "must be 30d or less"
    : undefined;
  if (detail === undefined) return new Date(now.getTime() + keepMs);
  throw new InvalidInputError("Cannot keep what is replaced: the time does not fit", [{ pointer, detail }]);
}

/** What of a stored config still is in its overlap. */
export function liveRetirements(stored: ConnectorConfig | undefined, now: Date): Retirements {
  const { retiring = null, retiringToken = null } = stored ?? {};
  return {
    retiring: retiring && now < retiring.until ? retiring : null,
    retiringToken: retiringToken && now < retiringToken.until ? retiringToken : null,
  };
}

/** Until when each is accepted beside what replaced it; `null` if none is. */
export function retiringUntil(
  stored: ConnectorConfig | undefined,
  now: Date,
): Readonly<Record<Replaceable, Date | null>> {
  const { retiring, retiringToken } = liveRetirements(stored, now);
  return { secrets: retiring?.until ?? null, url: retiringToken?.until ?? null };
}

/** What of a stored config still is in its overlap when that of `ended` is over. */
export function retirementsWithout(
  ended: readonly Replaceable[],
  stored: ConnectorConfig | undefined,
  now: Date,
): Retirements {
  const { retiring, retiringToken } = liveRetirements(stored, now);
  return {
    retiring: ended.includes("secrets") ? null : retiring,
    retiringToken: ended.includes("url") ? null : retiringToken,
  };
}

/**
 * What is in its overlap once `next` is saved. Secrets that are the same as before leave all as it is; where one is
 * another or gone, the former ones are accepted until `until`, and none that were retiring already. Off, nothing is.
 */
export function retirementsAfter(
  stored: ConnectorConfig | undefined,
  next: Pick<ConnectorConfig, "enabled" | "config" | "secrets">,
  { connector, now, until }: { readonly connector: Connector; readonly now: Date; readonly until: Date | null },
): Retirements {
  if (stored === undefined || !next.enabled) return { retiring: null, retiringToken: null };
  const { retiring, retiringToken } = liveRetirements(stored, now);
  const isSame = ([name, value]: [string, unknown]) => JSON.stringify(value) === JSON.stringify(next.secrets[name]);
  const kept = Object.entries(stored.secrets).every(isSame) ? retiring : until && { secrets: stored.secrets, until };
  // What was saved while the connector was off, or does not go with the new config, proves nothing.
  const fits = kept !== null && connector.faultsOf({ config: next.config, secrets: kept.secrets }, true).length === 0;
  return { retiring: fits ? kept : null, retiringToken };
}
