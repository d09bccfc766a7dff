import type { JSX } from "preact";
import { Scroll } from "./Scroll.tsx";
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
    <Scroll label="Dead letters">
      <table class="table min-w-2xl">
        <caption class="sr-only">Dead letters, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Set aside</th>
            <th scope="col">Event</th>
            <th scope="col">Reason</th>
            <th scope="col">What to do</th>
          </tr>
        </thead>
        <tbody>
          {letters.map(({ id, eventId, type, reason, at }) => (
            <tr key={id}>
              <td class="whitespace-nowrap">
                <Time date={at} now={now} />
              </td>
              <td class="wrap-anywhere">
                <code class="block">{type}</code>
                <span class="font-mono text-sm text-muted">{eventId}</span>
              </td>
              <td class="wrap-anywhere">
                <bdi>{reason}</bdi>
              </td>
              <td>
                <form method="post" class="flex gap-2">
                  <WorkspaceField />
                  <input type="hidden" name="id" value={id} />
                  <button type="submit" name="action" value="retry" class="button" aria-label={`Retry ${eventId}`}>
                    Retry
                  </button>
                  <button type="submit" name="action" value="discard" class="button" aria-label={`Discard ${eventId}`}>
                    Discard
                  </button>
                </form>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
