import type { JSX } from "preact";
import { DeliveryStatus } from "./DeliveryStatus.tsx";
import { reasonOf } from "./DeliveryTable.tsx";
import { Time } from "./Time.tsx";

/** A delivery in a short list. */
export interface RecentRow {
  readonly id: string;
  readonly receivedAt: Date;
  readonly status: number;
  readonly refusal: string | null;
  readonly published: number;
  /** How many of its events were stored, to be published later. */
  readonly queued: number;
  /** Whether it had been accepted before. */
  readonly duplicate: boolean;
  readonly types: readonly string[];
  readonly durationMs: number;
}

/** The last deliveries of a connector, each leading to its own page. */
export function RecentTable({ rows, now }: { rows: readonly RecentRow[]; now: Date }): JSX.Element {
  return (
    <table class="table table-fixed">
      <caption class="sr-only">Last deliveries, newest first</caption>
      <thead>
        <tr>
          <th scope="col" class="w-24 sm:w-28">Arrived</th>
          <th scope="col" class="w-16 sm:w-20">Status</th>
          <th scope="col">Outcome</th>
          <th scope="col" class="w-20 text-right max-sm:hidden">Took</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <td>
              <a href={`/dashboard/deliveries/${row.id}`}>
                <Time date={row.receivedAt} now={now} />
              </a>
            </td>
            <td>
              <DeliveryStatus status={row.status} />
            </td>
            <td class="wrap-anywhere">
              <Outcome row={row} />
            </td>
            <td class="text-right tabular-nums whitespace-nowrap text-muted max-sm:hidden">
              {`${Math.round(row.durationMs)} ms`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Outcome({ row: { refusal, published, queued, duplicate, types } }: { row: RecentRow }): JSX.Element {
  if (refusal !== null) return <bdi class="line-clamp-3">{reasonOf(refusal)}</bdi>;
  if (duplicate) return <span class="text-muted">Had come before</span>;
  if (published + queued === 0) return <span class="text-muted">No event comes of it</span>;
  const [first = "", ...others] = [...new Set(types)];
  return (
    <span>
      {published + queued} × {/* A type that is too long for the line is broken after a dot. */}
      <code class="wrap-anywhere">
        {first.split(/(?<=\.)/).map((word, index) => [index > 0 && <wbr key={index} />, word])}
      </code>
      {others.length > 0 && (
        <span class="text-muted">{` and ${others.length} more ${others.length === 1 ? "type" : "types"}`}</span>
      )}
      {queued > 0 && <span class="text-muted">{`, ${queued} by the spool`}</span>}
    </span>
  );
}
