/**
 * The envelope that every Inlet event has, as zod schemas and types, with the topic matching of AMQP topic exchanges.
 *
 * ```ts
 * import { normalizedEventSchema } from "@inlet/events-core";
 *
 * const event = normalizedEventSchema.parse(JSON.parse(message));
 * ```
 *
 * @module
 */
export * from "./event.ts";
export * from "./topic.ts";
