import { bindingFor, type NormalizedEvent, topicMatches } from "@inlet/events-core";
import { HttpError } from "fresh";
import type { BindingRow } from "../../components/EventBindings.tsx";
import type { RecentEvent } from "../../components/EventTypeRecent.tsx";
import { pythonSnippet, typescriptSnippet } from "../../components/events/snippets.ts";
import { type SchemaRow, schemaRows } from "../../components/schema/rows.ts";
import type { NamedEventType } from "../../server/contract/event_catalogue.ts";
import type { State } from "./define.ts";

/** So many of the newest deliveries of a source are looked through for events of a type. */
const DELIVERIES_READ = 200;
const RECENT_SHOWN = 5;

/** @throws {HttpError} 404 if no connector emits the type */
export function requireEventType({ dashboard }: State, type: string | undefined): NamedEventType {
  const found = type === undefined ? undefined : dashboard.events.find(type);
  if (found === undefined) throw new HttpError(404);
  return found;
}

/** How to take the events of a type. */
export interface Binding {
  readonly exchange: string;
  readonly hasBroker: boolean;
  readonly format: "normalized" | "cloudevents";
  /** From the narrowest to the widest. */
  readonly rows: readonly [BindingRow, ...BindingRow[]];
  /** Whether types can be told apart by the routing key. */
  readonly namesType: boolean;
  readonly typescript: string;
  readonly python: string;
}

/** Everything that the page of an event type shows. */
export interface EventTypePageData {
  readonly type: NamedEventType;
  readonly enabled: boolean;
  readonly polled: boolean;
  readonly seen: number;
  readonly binding: Binding;
  readonly payload: readonly SchemaRow[];
  readonly envelope: readonly SchemaRow[];
  /** `undefined`: there is none. */
  readonly example: NormalizedEvent | undefined;
  readonly recent: readonly RecentEvent[];
  readonly now: Date;
}

/** Puts together what the page of an event type shows. */
export async function eventTypePageData(state: State, type: NamedEventType): Promise<EventTypePageData> {
  const { dashboard, workspaceId } = state;
  const { payload, envelope } = dashboard.events.schemas(type);
  const { enabled } = await dashboard.settings.view(workspaceId, type.source);
  return {
    type,
    enabled,
    polled: dashboard.connector(type.source)?.manifest.type === "poller",
    seen: (await dashboard.eventCounts(workspaceId)).get(type.trigger) ?? 0,
    binding: bindingOf(state, type),
    payload: schemaRows(payload),
    envelope: schemaRows(envelope),
    example: await dashboard.events.example(type.trigger, workspaceId),
    recent: await recentOf(state, type),
    now: new Date(),
  };
}

function bindingOf(
  { dashboard: { events }, workspaceId }: State,
  { type, source, sourceName }: NamedEventType,
): Binding {
  const { publishing: { exchange, routingKey, messageFormat }, hasBroker } = events;
  const [, entity = "", action = ""] = type.split(".");
  const own = bindingFor({ source, entity, action, workspaceId }, routingKey);
  const wider = [
    {
      binding: bindingFor({ source, entity, workspaceId }, routingKey),
      takes: `All ${entity} events of ${sourceName}`,
    },
    ...type.includes("*") ? [] : [{
      binding: bindingFor({ entity, action, workspaceId }, routingKey),
      takes: "The same of every source that has it",
    }],
    { binding: bindingFor({ source, workspaceId }, routingKey), takes: `All events of ${sourceName}` },
    { binding: "#", takes: "Everything" },
  ];
  const namesType = routingKey.includes("{type}");
  const these = type.includes("*") ? "These types" : "This type";
  const first = { binding: own, takes: namesType ? these : `${these}, among others` };
  const rows = wider.filter(({ binding }, index) =>
    binding !== own && wider.findIndex((other) => other.binding === binding) === index
  );
  const snippet = { type, exchange, binding: own };
  return {
    exchange,
    hasBroker,
    format: messageFormat,
    rows: [first, ...rows],
    namesType,
    typescript: typescriptSnippet(snippet),
    python: pythonSnippet(snippet),
  };
}

async function recentOf({ dashboard, workspaceId }: State, { type, source }: NamedEventType): Promise<RecentEvent[]> {
  const deliveries = await dashboard.deliveries(workspaceId, { limit: DELIVERIES_READ, connectorId: source });
  // One that had come before published nothing: its events are there by the first.
  return deliveries.filter(({ duplicate }) => !duplicate).flatMap(({ id: deliveryId, receivedAt, events }) =>
    events.filter((event) => topicMatches(type, event.type)).map(({ id }) => ({ id, deliveryId, receivedAt }))
  ).slice(0, RECENT_SHOWN);
}
