import type { JSX } from "preact";
import { Badge } from "../../components/Badge.tsx";
import { Code } from "../../components/Code.tsx";
import { EventBindings } from "../../components/EventBindings.tsx";
import { EventTypeRecent } from "../../components/EventTypeRecent.tsx";
import { JsonView } from "../../components/JsonView.tsx";
import { SchemaTable } from "../../components/SchemaTable.tsx";
import EventCount from "../../islands/EventCount.tsx";
import { CopyField } from "./CopyField.tsx";
import type { EventTypePageData } from "./event_type.ts";

/** All of an event type: what it means, how to take it, what it looks like, and what came of it. */
export function EventTypePage({ data, workspaceId }: { data: EventTypePageData; workspaceId: string }): JSX.Element {
  const { type: { type, trigger }, seen } = data;
  return (
    <div class="column">
      <Head data={data} />
      <section class="card" aria-label="Count">
        <EventCount
          trigger={trigger}
          seen={seen}
          countUrl={`/dashboard/events/${type}/count?workspaceId=${workspaceId}`}
          streamUrl={`/events/stream?workspaceId=${workspaceId}`}
        />
        <Recent data={data} />
      </section>
      <Bind data={data} />
      <Schema data={data} />
      <Example data={data} />
    </div>
  );
}

function Head({ data: { type, enabled } }: { data: EventTypePageData }): JSX.Element {
  const { source, sourceName } = type;
  return (
    <div>
      <p class="muted">
        <a href="/dashboard/events">Events</a> · <a href={`/dashboard/events?source=${source}`}>{sourceName}</a>
      </p>
      <h1 class="flex flex-wrap items-center gap-2">
        <code class="text-lg! wrap-anywhere">{type.type}</code>
        {enabled ? <Badge tone="good">On</Badge> : <Badge tone="muted">Off</Badge>}
      </h1>
      <p class="mt-1">{type.description}</p>
      {!enabled && (
        <p class="muted">
          It cannot come until <a href={`/dashboard/connectors/${source}`}>{sourceName} is turned on</a>.
        </p>
      )}
    </div>
  );
}

function Recent({ data: { type: { type, trigger }, polled, recent, now } }: { data: EventTypePageData }): JSX.Element {
  return (
    <>
      {trigger !== type && (
        <p class="muted">
          Of all types that <code>{trigger}</code> stands for, which are counted together.
        </p>
      )}
      {recent.length > 0 && <EventTypeRecent events={recent} now={now} />}
      <p class="muted mt-2">
        {recent.length === 0 && (polled
          ? "What is polled comes in no delivery that could be listed here. "
          : "None is in the newest deliveries of this source. ")}
        <a href={`/dashboard/stream?type=${encodeURIComponent(type)}`}>Watch them come in the live stream</a>
      </p>
    </>
  );
}

function Bind({ data: { binding } }: { data: EventTypePageData }): JSX.Element {
  const { exchange, hasBroker, format, rows: [own], rows, namesType, typescript, python } = binding;
  return (
    <section class="card flex flex-col gap-3" aria-labelledby="bind">
      <h2 id="bind">How to take it</h2>
      {!hasBroker && (
        <p>
          This service has no broker to bind a queue at: start it with{" "}
          <code>AMQP_URL</code>. Until then events reach only the live stream.
        </p>
      )}
      <div class="grid gap-3 sm:grid-cols-2">
        <CopyField id="exchange" label="Topic exchange" text={exchange} />
        <CopyField id="binding" label="Binding" text={own.binding} />
      </div>
      {!namesType && (
        <p class="muted">
          The routing key of this service (<code>AMQP_ROUTING_KEY</code>) does not name the type: the message's property
          {" "}
          <code>type</code> does.
        </p>
      )}
      <EventBindings rows={rows} />
      {format === "cloudevents" && (
        <p class="muted">
          Messages are CloudEvents (<code>MESSAGE_FORMAT</code>): their <code>data</code>{" "}
          is the payload below. The handlers of <code>@inlet/consumer</code> get the event that they stand for.
        </p>
      )}
      <div>
        <h3 class="mb-1 font-medium">TypeScript, with @inlet/consumer</h3>
        <Code label="Consumer in TypeScript" text={typescript} />
      </div>
      <details>
        <summary>
          <h3 class="inline font-medium">Python, with pika</h3>
        </summary>
        <div class="mt-2">
          <Code label="Consumer in Python" text={python} />
        </div>
      </details>
    </section>
  );
}

function Schema({ data: { type: { type }, payload, envelope } }: { data: EventTypePageData }): JSX.Element {
  return (
    <section class="card" aria-labelledby="payload">
      <div class="mb-2 flex flex-wrap items-baseline justify-between gap-2">
        <h2 id="payload">Payload</h2>
        <a href={`/schemas/${type}.json`}>JSON Schema of the whole event</a>
      </div>
      <SchemaTable rows={payload} label="Fields of the payload" />
      <details class="mt-3">
        <summary>
          <h3 class="inline font-medium">What every event has around its payload</h3>
        </summary>
        <SchemaTable rows={envelope} label="Fields of every event" />
      </details>
    </section>
  );
}

function Example({ data: { example } }: { data: EventTypePageData }): JSX.Element {
  return (
    <section class="card" aria-labelledby="example">
      <h2 id="example" class="mb-2">Example</h2>
      {example === undefined
        ? <p class="muted">There is none: no delivery of this kind is among those that the connector is tested with.</p>
        : <JsonView value={example} />}
    </section>
  );
}
