import { keys } from "./keys.ts";

/** How long records of each kind live, in milliseconds, as the settings say. */
export interface Retentions {
  readonly sessionLifetimeMs: number;
  readonly dedupeWindowMs: number;
  readonly deliveryRetentionMs: number;
  readonly journalRetentionMs: number;
  readonly auditRetentionMs: number;
}

/**
 * How long a record lives from when it is written, for whoever copies it from a store that does not tell; `undefined` if it
 * stays. It may so live longer than it would have: who reads it looks at its time.
 */
export function lifetimeOf(key: Deno.KvKey, retentions: Retentions): number | undefined {
  const lifetimes: readonly (readonly [Deno.KvKey, number])[] = [
    [keys.session(""), retentions.sessionLifetimeMs],
    [keys.accepted("", ""), retentions.dedupeWindowMs],
    [keys.delivery("", ""), retentions.deliveryRetentionMs],
    [keys.deliveryBody("", ""), retentions.deliveryRetentionMs],
    [keys.journal("", "", 0), retentions.journalRetentionMs],
    [keys.journalPosition("", ""), retentions.journalRetentionMs],
    [keys.journalWriter("", ""), retentions.journalRetentionMs],
    [keys.audit(""), retentions.auditRetentionMs],
  ];
  const kind = keys.kindOf(key);
  const found = lifetimes.find(([[ofKind]]) => ofKind === kind);
  return found && Math.max(1, found[1]);
}
