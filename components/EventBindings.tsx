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
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Binding</th>
            <th scope="col">Takes</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ binding, takes }) => (
            <tr key={binding}>
              <td>
                <code class="whitespace-nowrap">{binding}</code>
              </td>
              <td class="w-full min-w-40">{takes}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
