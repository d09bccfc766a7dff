import type { JSX } from "preact";
import type { SchemaRow } from "./schema/rows.ts";
import { Scroll } from "./Scroll.tsx";

const INDENTS = ["", "pl-4", "pl-8", "pl-12", "pl-16"];

/** The fields of an object, those within others indented below them. */
export function SchemaTable({ rows, label }: { rows: readonly SchemaRow[]; label: string }): JSX.Element {
  return (
    <Scroll label={label}>
      <table class="table min-w-lg">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Is</th>
            <th scope="col">Meaning</th>
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
      <th scope="row" class="align-top font-mono text-[13px]! text-ink! whitespace-nowrap">
        <span class={INDENTS[Math.min(parents.length, INDENTS.length - 1)]}>
          {parents.length > 0 && <span class="sr-only">{`${parents.join(".")}.`}</span>}
          {name}
        </span>
      </th>
      <td class="min-w-32">
        {type}
        {values.map((value) => [" ", <code key={value} class="rounded bg-sunken px-1">{value}</code>])}
        {optional && <span class="text-muted">, may be missing</span>}
      </td>
      <td class="w-full min-w-48 break-words">{description}</td>
    </tr>
  );
}
