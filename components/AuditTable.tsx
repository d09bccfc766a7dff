import type { JSX } from "preact";
import { Scroll } from "./Scroll.tsx";
import { Time } from "./Time.tsx";

/** A change in the list. */
export interface AuditRow {
  readonly id: string;
  readonly at: Date;
  readonly by: string;
  readonly action: string;
  readonly subject: string;
  readonly detail: string;
}

/** Who changed what, and when. */
export function AuditTable({ rows, now }: { rows: readonly AuditRow[]; now: Date }): JSX.Element {
  return (
    <Scroll label="Changes">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Who</th>
            <th scope="col">What</th>
            <th scope="col" class="max-sm:hidden">More</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, at, by, action, subject, detail }) => (
            <tr key={id}>
              <td>
                <Time date={at} now={now} />
              </td>
              <td class="min-w-16 wrap-anywhere sm:min-w-28" dir="auto">{by}</td>
              <td class="wrap-anywhere sm:min-w-48" dir="auto">
                {action} {subject}
                <span class="block text-muted sm:hidden">{detail}</span>
              </td>
              <td class="wrap-anywhere max-sm:hidden" dir="auto">{detail}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
