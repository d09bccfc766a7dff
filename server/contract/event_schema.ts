import { normalizedEventSchema } from "@inlet/events-core";
import { type EventType, isPattern } from "./event_types.ts";
import { type JsonSchema, jsonSchemaOf } from "./json_schema.ts";

/** What a segment that is `*` in a pattern can be; as in {@link EVENT_TYPE_PATTERN} of events-core. */
const SEGMENT = "[a-z0-9][a-z0-9_-]*";

/** The JSON Schema (draft 2020-12) of whole events of one type, complete in itself. */
export function eventSchemaOf(type: EventType, id: string): JsonSchema {
  const { properties, ...envelope } = jsonSchemaOf(normalizedEventSchema);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: id,
    ...envelope,
    title: type.type,
    description: type.description,
    properties: { ...recordOf(properties), ...narrowing(type), payload: jsonSchemaOf(type.payload) },
  };
}

/** What a type says of the envelope's fields: what `type` and `source` are. */
export function narrowing({ type, source }: EventType): { type: JsonSchema; source: JsonSchema } {
  const pattern = `^${type.replaceAll(".", "\\.").replaceAll("*", SEGMENT)}$`;
  return {
    type: isPattern(type) ? { type: "string", pattern } : { type: "string", const: type },
    source: { type: "string", const: source },
  };
}

function recordOf(value: unknown): JsonSchema {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
