import type { JSX } from "preact";
import { DeliveryStatus } from "./DeliveryStatus.tsx";
import { sentence } from "./words.ts";
import { Time } from "./Time.tsx";

/** A delivery in the list. */
export interface DeliverySummary {
  readonly id: string;
  readonly connectorId: string;
  readonly receivedAt: Date;
  readonly status: number;
  readonly refusal: string | null;
  readonly published: number;
  /** How many of its events were stored, to be published later. */
  readonly queued: number;
  /** Whether it had been accepted before. */
  readonly duplicate: boolean;
  /** The first of its events. */
  readonly events: readonly { readonly id: string; readonly type: string }[];
  readonly durationMs: number;
}

/** The reason alone: that the delivery was not taken, its status says. */
function reasonOf(refusal: string): string {
  return sentence(refusal.replace(/^Cannot [^:]{1,60}: /, ""));
}

/** Deliveries, one a row: what arrived and what became of it. */
export function DeliveryTable({ deliveries, nameOf, now }: {
  deliveries: readonly DeliverySummary[];
  /** Gives the name of the source; left out where all are of one. */
  nameOf?: (connectorId: string) => string;
  now: Date;
}): JSX.Element {
  return (
    <table class="table table-fixed">
      <caption class="sr-only">Deliveries, newest first</caption>
      <thead>
        <tr>
          <th scope="col" class="w-24 sm:w-28">Arrived</th>
          {nameOf && <th scope="col" class="w-40 max-sm:hidden">Source</th>}
          <th scope="col" class="w-16 sm:w-20">Status</th>
          <th scope="col">Outcome</th>
          <th scope="col" class="w-20 text-right max-sm:hidden">Took</th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <tr key={delivery.id} class="hover:bg-sunken">
            <td>
              <a href={`/dashboard/deliveries/${delivery.id}`}>
                <Time date={delivery.receivedAt} now={now} />
              </a>
              {nameOf && <span class="block truncate text-muted sm:hidden">{nameOf(delivery.connectorId)}</span>}
            </td>
            {nameOf && <td class="truncate max-sm:hidden">{nameOf(delivery.connectorId)}</td>}
            <td>
              <DeliveryStatus status={delivery.status} />
            </td>
            <td class="wrap-anywhere">
              <Outcome delivery={delivery} />
            </td>
            <td class="text-right tabular-nums whitespace-nowrap text-muted max-sm:hidden">
              {`${Math.round(delivery.durationMs)} ms`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Outcome({ delivery: { refusal, published, queued, duplicate, events } }: {
  delivery: DeliverySummary;
}): JSX.Element {
  if (refusal !== null) return <bdi class="line-clamp-3">{reasonOf(refusal)}</bdi>;
  if (duplicate) return <span class="text-muted">Had come before</span>;
  if (published + queued === 0) return <span class="text-muted">No event comes of it</span>;
  const [first = "", ...others] = [...new Set(events.map(({ type }) => type))];
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
