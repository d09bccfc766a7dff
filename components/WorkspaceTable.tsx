import type { JSX } from "preact";
import { Badge } from "./Badge.tsx";
import { Scroll } from "./Scroll.tsx";
import { Time } from "./Time.tsx";

/** A workspace in the list. */
export interface WorkspaceRow {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
}

/** What {@link WorkspaceTable} shows. */
export interface WorkspaceTableProps {
  readonly rows: readonly WorkspaceRow[];
  /** The one that the dashboard shows. */
  readonly shownId: string;
  readonly now: Date;
}

/** All workspaces, each with a button that shows it. */
export function WorkspaceTable({ rows, shownId, now }: WorkspaceTableProps): JSX.Element {
  return (
    <Scroll label="Workspaces" isLow>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col" class="max-sm:hidden">Created</th>
            <th scope="col">
              <span class="sr-only">Show</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, name, createdAt }) => (
            <tr key={id}>
              <td class="wrap-anywhere" dir="auto">{name}</td>
              <td class="whitespace-nowrap max-sm:hidden">
                <Time date={createdAt} now={now} />
              </td>
              <td class="text-right">
                {id === shownId ? <Badge tone="good">Shown</Badge> : (
                  <form method="post">
                    <input type="hidden" name="do" value="show" />
                    <input type="hidden" name="workspaceId" value={id} />
                    <button type="submit" class="button" aria-label={`Show ${name}`}>Show</button>
                  </form>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
