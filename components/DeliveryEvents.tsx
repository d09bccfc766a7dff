import type { JSX } from "preact";

/** Events by type and id. */
export function DeliveryEvents({ events, caption }: {
  events: readonly { readonly id: string; readonly type: string }[];
  caption: string;
}): JSX.Element {
  return (
    <table class="table table-fixed">
      <caption class="sr-only">{caption}</caption>
      <thead>
        <tr>
          <th scope="col" class="w-2/5">Type</th>
          <th scope="col">Event id</th>
        </tr>
      </thead>
      <tbody>
        {events.map(({ id, type }) => (
          <tr key={id}>
            <td class="font-mono wrap-anywhere">{type}</td>
            <td class="font-mono text-muted wrap-anywhere">{id}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
