import type { JSX } from "preact";
import { Badge } from "./Badge.tsx";
import { countEvents } from "./words.ts";

/** An event type in the list. */
export interface EventTypeRow {
  readonly type: string;
  readonly entity: string;
  readonly description: string;
  /** How many of it there ever were. */
  readonly seen: number;
}

/** A source with those of its event types that are listed. */
export interface EventSource {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly types: readonly EventTypeRow[];
}

/** Event types by source and by what they are about, each leading to its own page. */
export function EventTypeList({ sources, open }: {
  sources: readonly EventSource[];
  /** Whether the types of sources that are off are shown at once, too. */
  open: boolean;
}): JSX.Element {
  return (
    <div class="flex flex-col gap-4">
      {sources.map((source) => <Source key={source.id} source={source} open={open || source.enabled} />)}
    </div>
  );
}

function Source({ source: { id, name, enabled, types }, open }: { source: EventSource; open: boolean }): JSX.Element {
  const seen = types.reduce((sum, { seen }) => sum + seen, 0);
  return (
    <details class="card" open={open}>
      <summary>
        <h2 class="mr-2">{name}</h2>
        {enabled ? <Badge tone="good">On</Badge> : <Badge tone="muted">Off</Badge>}
        <span class="muted ml-2 font-normal">
          {types.length === 1 ? "1 type" : `${types.length} types`}
          {seen > 0 && `, ${countEvents(seen)}`}
        </span>
      </summary>
      {!enabled && (
        <p class="muted mt-2">
          None of these can come until <a href={`/dashboard/connectors/${id}`}>{name} is turned on</a>.
        </p>
      )}
      {Map.groupBy(types, ({ entity }) => entity).entries().map(([entity, rows]) => (
        <section key={entity} class="mt-4">
          <h3 class="muted border-line border-b pb-1 font-mono">{entity}</h3>
          <ul class="divide-line divide-y">{rows.map((row) => <Type key={row.type} row={row} />)}</ul>
        </section>
      )).toArray()}
    </details>
  );
}

function Type({ row: { type, description, seen } }: { row: EventTypeRow }): JSX.Element {
  return (
    <li class="event-type">
      <a href={`/dashboard/events/${type}`} class="font-mono text-[13px] underline-offset-4 wrap-anywhere">{type}</a>
      <p>{description}</p>
      {seen > 0 && <span class="justify-self-end tabular-nums whitespace-nowrap">{countEvents(seen)}</span>}
    </li>
  );
}
