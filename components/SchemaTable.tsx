import type { JSX } from "preact";
import type { SchemaRow } from "./schema/rows.ts";
import { Scroll } from "./Scroll.tsx";

const INDENTS = ["", "pl-4", "pl-8", "pl-12", "pl-16"];

/** The fields of an object, those within others indented below them. Where there is little room, meanings are below types. */
export function SchemaTable({ rows, label }: { rows: readonly SchemaRow[]; label: string }): JSX.Element {
  return (
    <Scroll label={label}>
      <table class="table table-fixed sm:table-auto">
        <thead>
          <tr>
            <th scope="col" class="w-2/5 sm:w-auto">Field</th>
            <th scope="col">Type and meaning</th>
          </tr>
        </thead>
        <tbody>{rows.map((row) => <Row key={[...row.parents, row.name].join(".")} row={row} />)}</tbody>
      </table>
    </Scroll>
  );
}

function Row({ row: { parents, name, type, optional, description, values } }: { row: SchemaRow }): JSX.Element {
  return (
    <tr>
      <th scope="row" class="align-top font-mono text-[13px]! text-ink! break-words sm:whitespace-nowrap">
        <div class={INDENTS[Math.min(parents.length, INDENTS.length - 1)]}>
          {parents.length > 0 && <span class="sr-only">{`${parents.join(".")}.`}</span>}
          {name}
        </div>
      </th>
      <td class="break-words sm:w-full">
        <div class="grid grid-cols-[minmax(0,1fr)] gap-x-4 sm:grid-cols-[minmax(8rem,1fr)_minmax(0,2fr)]">
          <div>
            {type}
            {values.map((value) => [" ", <code key={value} class="rounded bg-sunken px-1">{value}</code>])}
            {optional && <span class="text-muted">, may be missing</span>}
          </div>
          <div>{description}</div>
        </div>
      </td>
    </tr>
  );
}
