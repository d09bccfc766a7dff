import type { z } from "zod";
import { cloudEventSchema, fromCloudEvent } from "./cloud_event.ts";
import { type NormalizedEvent, normalizedEventSchema } from "./event.ts";
import { topicMatches } from "./topic.ts";

/** Payload schemas by event type. A topic pattern such as `webhook.*.*` stands for types that a config decides. */
export type PayloadSchemas = Readonly<Record<string, z.ZodType>>;

/** The event types that a topic pattern of `*` matches: those of `device.custom.*` are `device.custom.${string}`. */
export type TypeOfPattern<Pattern extends string> = Pattern extends `${infer Before}*${infer After}`
  ? `${Before}${string}${TypeOfPattern<After>}`
  : Pattern;

/** An event whose type and payload are known. */
export interface TypedEvent<Type extends string, Payload> extends Omit<NormalizedEvent, "type" | "payload"> {
  readonly type: Type;
  readonly payload: Payload;
}

/** Every event that a table of payload schemas knows: a union that `type` tells apart. */
export type EventOf<Schemas> = {
  [Type in keyof Schemas & string]: Schemas[Type] extends z.ZodType
    ? TypedEvent<TypeOfPattern<Type>, z.output<Schemas[Type]>>
    : never;
}[keyof Schemas & string];

/** What was read is no event, or one whose payload is not what its type promises. */
export class InvalidEventError extends Error {
  override readonly name = "InvalidEventError";
}

/** The schema of the payload of events of `type`, by its name or by a pattern that it matches; `undefined` if none is. */
export function payloadSchemaOf(schemas: PayloadSchemas, type: string): z.ZodType | undefined {
  if (Object.hasOwn(schemas, type)) return schemas[type];
  const pattern = Object.keys(schemas).find((key) => key.includes("*") && topicMatches(key, type));
  return pattern === undefined ? undefined : schemas[pattern];
}

const readCloudEventSchema = cloudEventSchema.transform(fromCloudEvent);

/**
 * Reads the envelope of an event from the text of a message, or from the JSON value that the text was parsed to. A
 * CloudEvent of Inlet's, which says its `specversion`, is read as the event that it is.
 *
 * @throws {InvalidEventError} if it is not JSON, or no event; the message says where, and quotes nothing
 */
export function parseEnvelope(json: unknown): NormalizedEvent {
  const value = typeof json === "string" ? valueOf(json) : json;
  const isCloudEvent = typeof value === "object" && value !== null && "specversion" in value;
  const schema = isCloudEvent ? readCloudEventSchema : normalizedEventSchema;
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  throw new InvalidEventError(`Cannot read the event: ${placesOf(error)}`);
}

/**
 * Reads an event and checks its payload with the schema of its type. What the schema does not know is dropped.
 *
 * @throws {InvalidEventError} if it is no event, if no schema is known for its type, or if the payload does not fit
 */
export function parseEventWith<Schemas extends PayloadSchemas>(schemas: Schemas, json: unknown): EventOf<Schemas>;
// TypeScript cannot follow which schema goes with which type: the first signature says what the table promises.
export function parseEventWith(schemas: PayloadSchemas, json: unknown): unknown {
  const event = parseEnvelope(json);
  const schema = payloadSchemaOf(schemas, event.type);
  if (schema === undefined) {
    throw new InvalidEventError(
      `Cannot read the event: ${event.type} is no type that this version knows. Take a newer one, or parse the envelope`,
    );
  }
  const { success, data, error } = schema.safeParse(event.payload);
  if (success) return { ...event, payload: data };
  throw new InvalidEventError(`Cannot read the payload of ${event.type}: ${placesOf(error)}`);
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidEventError("Cannot read the event: it is not JSON");
  }
}

function placesOf(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => `/${path.join("/")}: ${message}`).join("; ");
}
