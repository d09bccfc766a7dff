import { alignColumns } from "../columns.ts";
import type { Outcome } from "./run.ts";

const HEAD = [
  "scenario",
  "accepted",
  "received",
  "lost",
  "misplaced",
  "doubled",
  "repeats",
  "redelivered",
  "unaccepted",
  "202",
  "503",
  "no answer",
  "first 2xx p50",
  "max",
  "caught up",
  "",
] as const;

/** What the columns mean. */
export const LEGEND = `accepted     answered with 2xx: published, queued, or known as a duplicate
received     events that came, each counted once
lost         accepted and not received: must be 0
misplaced    came behind an event of its workspace that was sent when this one had been accepted: must be 0
doubled      came again under another id, so that no consumer can recognize it: must be 0
repeats      messages over the first of an event, which the service published again under the same id
redelivered  messages over the first that the broker gave out again
unaccepted   received though the sender was not told of success: it sends again, or the run ended
first 2xx    how long senders waited for a success when the fault was over
caught up    how long until the spool was empty when the fault was over`;

/** Draws how scenarios went as a table, a line each, with what is wrong below it. */
export function formatTable(outcomes: readonly Outcome[]): string {
  const rows = [HEAD, ...outcomes.map(cellsOf)];
  const lines = alignColumns(rows, (column) => column === 0 || column === HEAD.length - 1);
  const failures = outcomes.flatMap(({ name, failures }) => failures.map((failure) => `${name}: ${failure}`));
  return [...lines, ...failures].join("\n");
}

function cellsOf({ name, skipped, failures, balance, statuses, firstSuccessMs = [], caughtUpMs }: Outcome): string[] {
  if (balance === undefined) return [name, ...HEAD.slice(2).map(() => ""), skipped ? `skipped: ${skipped}` : "FAILED"];
  const sorted = firstSuccessMs.toSorted((a, b) => a - b);
  const counts = [
    balance.accepted,
    balance.received,
    balance.lost.length,
    balance.misplaced.length,
    balance.doubled.length,
    balance.repeats,
    balance.redelivered,
    balance.unaccepted,
    ...[202, 503, 0].map((status) => statuses?.get(status) ?? 0),
  ];
  const times = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1), caughtUpMs];
  return [name, ...counts.map(String), ...times.map(seconds), failures.length === 0 ? "ok" : "FAILED"];
}

function seconds(ms: number | undefined): string {
  return ms === undefined ? "-" : `${(ms / 1000).toFixed(2)} s`;
}
