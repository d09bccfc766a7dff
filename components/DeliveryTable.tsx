import type { JSX } from "preact";
import { countEvents, DeliveryStatus } from "./DeliveryStatus.tsx";
import { sentence } from "./sentence.ts";
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
  readonly durationMs: number;
}

/** The reason alone: that the delivery was not taken, its status says. */
export function reasonOf(refusal: string): string {
  return sentence(refusal.replace(/^Cannot [^:]{1,60}: /, ""));
}

function outcomeOf({ published, queued, duplicate }: Pick<DeliverySummary, "published" | "queued" | "duplicate">) {
  if (duplicate) return "had come before";
  return queued === 0 ? countEvents(published) : `${countEvents(published + queued)}, ${queued} by the spool`;
}

/** Deliveries, one a row: what arrived and what became of it. */
export function DeliveryTable({ deliveries, nameOf, now }: {
  deliveries: readonly DeliverySummary[];
  nameOf: (connectorId: string) => string;
  now: Date;
}): JSX.Element {
  return (
    <table class="table table-fixed">
      <caption class="sr-only">Deliveries, newest first</caption>
      <thead>
        <tr>
          <th scope="col" class="w-24 sm:w-28">Arrived</th>
          <th scope="col" class="w-40 max-sm:hidden">Source</th>
          <th scope="col" class="w-16 sm:w-20">Status</th>
          <th scope="col">Outcome</th>
          <th scope="col" class="w-20 text-right max-sm:hidden">Took</th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map(({ id, connectorId, receivedAt, status, refusal, durationMs, ...outcome }) => (
          <tr key={id} class="hover:bg-sunken">
            <td>
              <a href={`/dashboard/deliveries/${id}`}>
                <Time date={receivedAt} now={now} />
              </a>
              <span class="block truncate text-muted sm:hidden">{nameOf(connectorId)}</span>
            </td>
            <td class="truncate max-sm:hidden">{nameOf(connectorId)}</td>
            <td>
              <DeliveryStatus status={status} />
            </td>
            <td class="wrap-anywhere">
              {refusal === null ? outcomeOf(outcome) : <bdi class="line-clamp-3">{reasonOf(refusal)}</bdi>}
            </td>
            <td class="text-right tabular-nums whitespace-nowrap text-muted max-sm:hidden">{`${durationMs} ms`}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
