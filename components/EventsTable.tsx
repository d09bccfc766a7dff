import type { JSX } from "preact";
import { minuteOf, type Series, sumAt } from "./chart.ts";
import { Scroll } from "./Scroll.tsx";

/** The numbers of a chart, newest minute first; minutes without events are left out. */
export function EventsTable({ series, now }: { series: readonly Series[]; now: Date }): JSX.Element {
  const count = series[0]?.perMinute.length ?? 0;
  const minutes = Array.from({ length: count }, (_, index) => count - 1 - index)
    .filter((minute) => sumAt(series, minute) > 0);
  return (
    <details class="mt-3">
      <summary>As a table</summary>
      <Scroll label="Events per minute">
        <table class="table mt-2">
          <caption class="muted pb-1 text-left">Events per minute (UTC); minutes without events are left out</caption>
          <thead>
            <tr>
              <th scope="col">Minute</th>
              {series.map(({ name }) => <th key={name} scope="col" class="text-right">{name}</th>)}
            </tr>
          </thead>
          <tbody>
            {minutes.map((minute) => (
              <tr key={minute}>
                <th scope="row">{minuteOf(now, minute, count)}</th>
                {series.map(({ name, perMinute }) => (
                  <td key={name} class="text-right tabular-nums">{(perMinute[minute] ?? 0).toLocaleString("en")}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </details>
  );
}
