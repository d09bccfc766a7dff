import type { JSX } from "preact";
import { ForGood } from "./ForGood.tsx";
import { Scroll } from "./Scroll.tsx";
import { Time } from "./Time.tsx";
import { WorkspaceField } from "./WorkspaceField.tsx";

/** An API key in the list, without its secret. */
export interface KeyRow {
  readonly id: string;
  readonly name: string;
  readonly scope: string;
  readonly createdAt: Date;
}

/** The API keys of a workspace, each with a button that revokes it, after a question. */
export function KeyTable({ rows, now }: { rows: readonly KeyRow[]; now: Date }): JSX.Element {
  if (rows.length === 0) return <p class="my-2">There is none.</p>;
  return (
    <Scroll label="API keys">
      <table class="table mt-2">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">May</th>
            <th scope="col" class="max-sm:hidden">Made</th>
            <th scope="col">
              <span class="sr-only">Revoke</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, name, scope, createdAt }) => (
            <tr key={id}>
              <td class="wrap-anywhere" dir="auto">{name}</td>
              <td>{scope}</td>
              <td class="whitespace-nowrap max-sm:hidden">
                <Time date={createdAt} now={now} />
              </td>
              <td class="text-right whitespace-nowrap">
                <form method="post">
                  <WorkspaceField />
                  <input type="hidden" name="do" value="revoke" />
                  <input type="hidden" name="keyId" value={id} />
                  <ForGood action="Revoke" of={name} />
                </form>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
