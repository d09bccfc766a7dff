import type { JSX } from "preact";
import { Notice } from "../../components/Notice.tsx";
import { Time } from "../../components/Time.tsx";
import type { PollerView } from "../../server/workspace/polling.ts";
import { WorkspaceField } from "../../components/WorkspaceField.tsx";

/** What {@link Polling} shows. */
export interface PollingProps {
  readonly name: string;
  readonly enabled: boolean;
  readonly poller: PollerView;
  readonly now: Date;
}

/** How the polling of a connector goes, and the ways to poll it at once. */
export function Polling({ name, enabled, poller, now }: PollingProps): JSX.Element {
  const { lastRunAt, nextRunAt, lastError, failures, lagMs } = poller;
  return (
    <section class="card grid gap-3">
      <h2>Polling</h2>
      {enabled && lastError !== null && (
        <Notice tone="bad" title={failures > 1 ? `The last ${failures} polls failed` : "The last poll failed"}>
          <p class="break-words" dir="auto">{lastError}</p>
          {failures > 0 && (
            <p>
              Nothing is lost: the next poll goes on where the last good one ended. Mend the cause, then poll again.
            </p>
          )}
        </Notice>
      )}
      <dl class="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        <dt class="muted">Last poll</dt>
        <dd>{lastRunAt === null ? "None yet" : <Time date={lastRunAt} now={now} />}</dd>
        <dt class="muted">Read to its end</dt>
        <dd>{lagMs === null ? "Not yet" : <Time date={new Date(now.getTime() - lagMs)} now={now} />}</dd>
        <dt class="muted">Next poll</dt>
        <dd>
          {nextRunAt === null
            ? (enabled ? "Never: the schedule names no time to come" : "None while it is off")
            : nextRunAt > now
            ? <Time date={nextRunAt} now={now} />
            : "Within a minute"}
        </dd>
      </dl>
      {enabled ? <PollForm name={name} /> : <p>Turn {name} on first.</p>}
    </section>
  );
}

function PollForm({ name }: { name: string }): JSX.Element {
  return (
    <form method="post" class="grid gap-3">
      <WorkspaceField />
      <div>
        <button type="submit" name="intent" value="poll" class="button">Poll now</button>
      </div>
      <details>
        <summary>Start anew</summary>
        <p class="muted my-2">
          Forgets where the last poll ended: events begin now, and what came to {name} since then is left out.
        </p>
        <button type="submit" name="intent" value="start-anew" class="button button-danger">Start anew</button>
      </details>
    </form>
  );
}
