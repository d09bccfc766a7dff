import type { JSX } from "preact";
import { Time } from "./Time.tsx";

/** An event of late, and the delivery that it came in. */
export interface RecentEvent {
  readonly id: string;
  readonly deliveryId: string;
  readonly receivedAt: Date;
}

/** The last events of a type. */
export function EventTypeRecent({ events, now }: { events: readonly RecentEvent[]; now: Date }): JSX.Element {
  return (
    <table class="table table-fixed">
      <caption class="sr-only">Last events</caption>
      <thead>
        <tr>
          <th scope="col" class="w-32">Delivered</th>
          <th scope="col">Event id</th>
        </tr>
      </thead>
      <tbody>
        {events.map(({ id, deliveryId, receivedAt }) => (
          <tr key={id}>
            <td>
              <a href={`/dashboard/deliveries/${deliveryId}`}>
                <Time date={receivedAt} now={now} />
              </a>
            </td>
            <td class="font-mono text-muted wrap-anywhere">{id}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
