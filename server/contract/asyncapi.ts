import { cloudEventSchema, normalizedEventSchema } from "@inlet/events-core";
import type { z } from "zod";
import { narrowing } from "./event_schema.ts";
import { type EventType, isPattern } from "./event_types.ts";
import { routingKeyOf } from "../routing_key.ts";
import { INLET_VERSION } from "../version.ts";
import { type JsonSchema, jsonSchemaOf } from "./json_schema.ts";

/** Where events are published. */
export interface Publishing {
  /** Name of the topic exchange. */
  readonly exchange: string;
  /** Template of the routing key, with `{type}`, `{source}` and `{workspaceId}`. */
  readonly routingKey: string;
  /** What the messages' bodies are. */
  readonly messageFormat: "normalized" | "cloudevents";
}

/**
 * The AsyncAPI 3 document (https://www.asyncapi.com/docs/reference/specification/v3.0.0) of what consumers receive: a
 * channel for each routing key, a message for each event type, and each payload's schema once.
 */
export function asyncApiOf(
  types: readonly EventType[],
  { exchange, routingKey, messageFormat }: Publishing,
): JsonSchema {
  const names = schemaNames(types);
  const byAddress = Map.groupBy(types, (type) => addressOf(routingKey, type));
  const channels = byAddress.entries().map(([address, carried]) => [
    keyOf(carried),
    channelOf(address, exchange, carried),
  ]).toArray();
  return {
    asyncapi: "3.0.0",
    info: {
      title: "Inlet",
      version: INLET_VERSION,
      description:
        "Events of many sources, in one shape, on one durable topic exchange. A repeat of an event has the same id: a " +
        "consumer that drops ids it has seen handles each event once.",
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
    },
    defaultContentType: CONTENT_TYPES[messageFormat],
    channels: Object.fromEntries(channels),
    operations: Object.fromEntries(
      byAddress.values().map((carried) => [`publish.${keyOf(carried)}`, {
        action: "send",
        channel: { $ref: `#/channels/${keyOf(carried)}` },
      }]),
    ),
    components: {
      messages: Object.fromEntries(types.map((type) => [nameOf(type.type), messageOf(type, names, messageFormat)])),
      schemas: {
        [ENVELOPES[messageFormat]]: jsonSchemaOf(ENVELOPE_SCHEMAS[messageFormat], "draft-07"),
        ...Object.fromEntries(names.entries().map(([schema, name]) => [name, jsonSchemaOf(schema, "draft-07")])),
      },
    },
  };
}

const ENVELOPES = { normalized: "NormalizedEvent", cloudevents: "CloudEvent" } as const;
const ENVELOPE_SCHEMAS = { normalized: normalizedEventSchema, cloudevents: cloudEventSchema } as const;
const CONTENT_TYPES = { normalized: "application/json", cloudevents: "application/cloudevents+json" } as const;

/** Keys of AsyncAPI are letters, digits, `.`, `_` and `-`. */
function nameOf(type: string): string {
  return type.replaceAll("*", "any");
}

/** Types that share a routing key share a channel. */
function keyOf([first, ...others]: readonly EventType[]): string {
  return first === undefined || others.length > 0
    ? `events${first === undefined ? "" : `.${first.source}`}`
    : nameOf(first.type);
}

function addressOf(template: string, { type, source }: EventType): string {
  const wanted = isPattern(type) ? type.replace(/\.\*\.\*$/, ".{entity}.{action}").replace(/\.\*$/, ".{action}") : type;
  return routingKeyOf(template, { type: wanted, source, workspaceId: "{workspaceId}" });
}

const PARAMETERS = new Map([
  ["workspaceId", "Id of the workspace"],
  ["entity", "What the event concerns, as its sender calls it"],
  ["action", "What happened, as its sender calls it"],
]);

function channelOf(address: string, exchange: string, carried: readonly EventType[]): JsonSchema {
  const named = Array.from(address.matchAll(/\{(\w+)\}/g), ([, name = ""]) => name);
  const parameters = Object.fromEntries(named.map((name) => [name, { description: PARAMETERS.get(name) ?? name }]));
  return {
    address,
    description: carried.map(({ title }) => title).join("; "),
    messages: Object.fromEntries(
      carried.map(({ type }) => [nameOf(type), { $ref: `#/components/messages/${nameOf(type)}` }]),
    ),
    ...(named.length > 0 && { parameters }),
    bindings: {
      amqp: { is: "routingKey", exchange: { name: exchange, type: "topic", durable: true, autoDelete: false } },
    },
  };
}

function messageOf(
  type: EventType,
  names: ReadonlyMap<z.ZodType, string>,
  format: Publishing["messageFormat"],
): JsonSchema {
  const payload = { $ref: `#/components/schemas/${names.get(type.payload)}` };
  return {
    name: type.type,
    title: type.title,
    summary: type.description,
    description:
      "The message_id is the event's id, the message's type is the event's, and its timestamp, which is left out before " +
      "1970, the event's occurredAt in seconds; it is persistent.",
    contentType: CONTENT_TYPES[format],
    headers: {
      type: "object",
      properties: {
        "workspace-id": { type: "string", format: "uuid", description: "Owning workspace" },
        traceparent: { type: "string", description: "The trace it belongs to (W3C Trace Context), if it has one" },
      },
      required: ["workspace-id"],
    },
    payload: {
      allOf: [{ $ref: `#/components/schemas/${ENVELOPES[format]}` }, {
        type: "object",
        properties: format === "normalized"
          ? { ...narrowing(type), payload }
          : { type: narrowing(type).type, data: payload },
      }],
    },
    bindings: { amqp: { ...(!isPattern(type.type) && { messageType: type.type }) } },
  };
}

/** A name for each payload schema: what its types have in common, or else the first of them. */
function schemaNames(types: readonly EventType[]): Map<z.ZodType, string> {
  const names = new Map<z.ZodType, string>();
  const taken = new Set<string>();
  const groups = [...Map.groupBy(types, ({ payload }) => payload)].sort(([, a], [, b]) => b.length - a.length);
  for (const [schema, [first, ...others]] of groups) {
    if (first === undefined) continue;
    const common = others.every(({ entity }) => entity === first.entity)
      ? `${first.source}.${first.entity}`
      : first.source;
    const name = nameOf([common, first.type].find((name) => !taken.has(nameOf(name))) ?? first.type);
    taken.add(name);
    names.set(schema, name);
  }
  return names;
}
