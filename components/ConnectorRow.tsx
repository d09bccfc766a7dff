import type { JSX } from "preact";
import { Badge } from "./Badge.tsx";
import { Sparkline } from "./Sparkline.tsx";
import { Time } from "./Time.tsx";

/** A connector and how it does. */
export interface ConnectorSummary {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly kind: "webhook" | "poller";
  readonly enabled: boolean;
  /** Whether it was ever configured. */
  readonly configured: boolean;
  /** Why its settings cannot be read; `null` if they can. */
  readonly problem: string | null;
  readonly perMinute: readonly number[];
  readonly lastEventAt: Date | null;
  readonly refusal: { readonly at: Date; readonly status: number; readonly reason: string } | null;
  /** How its polling goes; `null` for a webhook. */
  readonly poller: PollingStatus | null;
}

/** How the polling of a connector goes. */
export interface PollingStatus {
  readonly lastRunAt: Date | null;
  /** `null`: never. */
  readonly nextRunAt: Date | null;
  readonly lastError: string | null;
}

/** A connector in the list of all. */
export function ConnectorRow({ connector, now }: { connector: ConnectorSummary; now: Date }): JSX.Element {
  const { id, name, description, kind, enabled, configured, problem, perMinute, lastEventAt, refusal, poller } =
    connector;
  return (
    <li class="connector-row">
      <div class="min-w-0">
        <h2 class="flex flex-wrap items-center gap-2">
          <a href={`/dashboard/connectors/${id}`}>{name}</a>
          {enabled ? <Badge tone="good">On</Badge> : <Badge tone="muted">{configured ? "Off" : "Not set up"}</Badge>}
          <span class="muted font-normal">{kind === "webhook" ? "Webhook" : "Poller"}</span>
        </h2>
        <p class="muted">{description}</p>
        {problem !== null && <p class="mt-1 line-clamp-2 text-sm text-bad break-words" dir="auto">{problem}</p>}
        {refusal !== null && (
          <p class="mt-1 line-clamp-2 text-sm break-words">
            <span class="text-bad font-medium">Refused with {refusal.status}</span>{" "}
            <Time date={refusal.at} now={now} />: <span dir="auto">{refusal.reason}</span>
          </p>
        )}
        {enabled && poller !== null && poller.lastError !== null && (
          <p class="mt-1 line-clamp-2 text-sm break-words">
            <span class="text-bad font-medium">Not polled</span>{" "}
            {poller.lastRunAt !== null && <Time date={poller.lastRunAt} now={now} />}:{" "}
            <span dir="auto">{poller.lastError}</span>
          </p>
        )}
      </div>
      <div class="connector-numbers">
        <Sparkline perMinute={perMinute} />
        <span class="muted">
          {lastEventAt === null ? "No event yet" : (
            <>
              Last event <Time date={lastEventAt} now={now} />
            </>
          )}
        </span>
      </div>
    </li>
  );
}
