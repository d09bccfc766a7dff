import type { JSX } from "preact";
import { Badge } from "./Badge.tsx";
import { Scroll } from "./Scroll.tsx";
import { Time } from "./Time.tsx";

/** A delivery in a short list. */
export interface RecentRow {
  readonly id: string;
  readonly receivedAt: Date;
  readonly status: number;
  readonly refusal: string | null;
  readonly published: number;
  readonly types: readonly string[];
  readonly durationMs: number;
}

/** The last deliveries of a connector, each leading to its own page. */
export function RecentTable({ rows, now }: { rows: readonly RecentRow[]; now: Date }): JSX.Element {
  return (
    <Scroll label="Last deliveries">
      <table class="table min-w-xl">
        <thead>
          <tr>
            <th scope="col">Received</th>
            <th scope="col">Answer</th>
            <th scope="col">What became of it</th>
            <th scope="col" class="text-right">Took</th>
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
                <Badge tone={row.refusal === null ? "good" : "bad"}>{row.status}</Badge>
              </td>
              <td class="w-full">
                <Outcome row={row} />
              </td>
              <td class="text-right tabular-nums whitespace-nowrap">{Math.round(row.durationMs)} ms</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function Outcome({ row: { refusal, published, types } }: { row: RecentRow }): JSX.Element {
  if (refusal !== null) return <span class="line-clamp-2 break-words" dir="auto">{refusal}</span>;
  if (published === 0) return <span class="text-muted">No event comes of it</span>;
  const [first = "", ...others] = [...new Set(types)];
  return (
    <span>
      {published} × <code class="break-all">{first}</code>
      {others.length > 0 && <span class="text-muted">and {others.length} more types</span>}
    </span>
  );
}
