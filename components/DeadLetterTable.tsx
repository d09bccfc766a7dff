import type { JSX } from "preact";
import { ForGood } from "./ForGood.tsx";
import { Time } from "./Time.tsx";
import { WorkspaceField } from "./WorkspaceField.tsx";

/** An event that the broker did not take. */
export interface DeadLetterRow {
  readonly id: string;
  readonly eventId: string;
  readonly type: string;
  readonly reason: string;
  readonly at: Date;
}

/** Dead letters, one a row, each with what can be done about it. */
export function DeadLetterTable({ letters, now }: { letters: readonly DeadLetterRow[]; now: Date }): JSX.Element {
  return (
    <table class="table table-fixed">
      <caption class="sr-only">Dead letters, newest first</caption>
      <thead>
        <tr>
          <th scope="col" class="w-20 sm:w-32">Set aside</th>
          <th scope="col">Event, and why it was not taken</th>
          <th scope="col" class="w-24 sm:w-48">What to do</th>
        </tr>
      </thead>
      <tbody>
        {letters.map(({ id, eventId, type, reason, at }) => (
          <tr key={id}>
            <td>
              <Time date={at} now={now} />
            </td>
            <td class="wrap-anywhere">
              <code class="block">{type}</code>
              <bdi class="block">{reason}</bdi>
              <span class="font-mono text-muted">{eventId}</span>
            </td>
            <td>
              <form method="post" class="flex flex-wrap items-start gap-2">
                <WorkspaceField />
                <input type="hidden" name="id" value={id} />
                <button type="submit" name="action" value="retry" class="button" aria-label={`Retry ${eventId}`}>
                  Retry
                </button>
                <ForGood action="Discard" of={eventId} name="action" value="discard" />
              </form>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
