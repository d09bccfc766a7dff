import type { JSX } from "preact";
import { Scroll } from "./Scroll.tsx";

/** A binding of a queue, and what it takes. */
export interface BindingRow {
  readonly binding: string;
  readonly takes: string;
}

/** Bindings from the narrowest to the widest. */
export function EventBindings({ rows }: { rows: readonly BindingRow[] }): JSX.Element {
  return (
    <Scroll label="Bindings">
      <table class="table table-fixed sm:table-auto">
        <thead>
          <tr>
            <th scope="col" class="w-3/5 sm:w-auto">Binding</th>
            <th scope="col">Takes</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ binding, takes }) => (
            <tr key={binding}>
              <td>
                <code class="wrap-anywhere sm:whitespace-nowrap">{binding}</code>
              </td>
              <td class="sm:w-full">{takes}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
