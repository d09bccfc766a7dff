import { type NormalizedEvent, normalizedEventSchema } from "@inlet/events-core";
import type { Example } from "../../connectors/examples.ts";
import type { Connector } from "../../connectors/kit/mod.ts";
import { stamp } from "../ingest/stamp.ts";
import type { Publishing } from "./asyncapi.ts";
import { type EventType, eventTypesOf, findEventType } from "./event_types.ts";
import { type JsonSchema, jsonSchemaOf } from "./json_schema.ts";

/** An event type that was asked for by its name. */
export interface NamedEventType extends EventType {
  /** What its connector lists: the type itself, or the pattern that stands for it. */
  readonly trigger: string;
}

/** Every event type there is, for people to look up. */
export interface EventCatalogue {
  /** Where consumers find the events. */
  readonly publishing: Publishing;
  /** Whether there is a broker at all to bind a queue at. */
  readonly hasBroker: boolean;
  /** Every event type, in the connectors' order. */
  types(): readonly EventType[];
  /** A type by its name; `undefined` if no connector emits it. */
  find(type: string): NamedEventType | undefined;
  /** The JSON Schemas (draft 2020-12) of a type's payload, and of what all events have around it. */
  schemas(type: EventType): { readonly payload: JsonSchema; readonly envelope: JsonSchema };
  /** A whole event of the trigger, as it would be in this workspace; `undefined` if there is no example. */
  example(trigger: string, workspaceId: string): Promise<NormalizedEvent | undefined>;
}

/** What {@link createEventCatalogue} works with. */
export interface EventCatalogueParts {
  readonly connectors: readonly Connector[];
  readonly publishing: Publishing;
  readonly hasBroker: boolean;
  /** The example of a trigger; `undefined` if there is none. */
  readonly readEventExample: (trigger: string) => Promise<Example | undefined>;
}

/** Makes the catalogue. Everything in it is made when it is asked for: it is looked at rarely. */
export function createEventCatalogue(parts: EventCatalogueParts): EventCatalogue {
  const { connectors, publishing, hasBroker, readEventExample } = parts;
  return {
    publishing,
    hasBroker,
    types: () => eventTypesOf(connectors),
    find(type) {
      const found = findEventType(eventTypesOf(connectors), type);
      return found && { ...found, type, trigger: found.type };
    },
    schemas: ({ payload }) => ({ payload: jsonSchemaOf(payload), envelope: jsonSchemaOf(normalizedEventSchema) }),
    async example(trigger, workspaceId) {
      const draft = await readEventExample(trigger);
      if (draft === undefined) return undefined;
      const { key = "example", ...rest } = draft;
      const [connectorId = ""] = trigger.split(".");
      return stamp({ workspaceId, connectorId, occurrence: key, index: 0 }, rest).event;
    },
  };
}
