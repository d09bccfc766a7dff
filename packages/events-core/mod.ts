/**
 * The envelope that every Inlet event has, as zod schemas and types, with what routes it over AMQP topic exchanges.
 *
 * ```ts
 * import { normalizedEventSchema } from "@inlet/events-core";
 *
 * export function tell(message: string): void {
 *   const event = normalizedEventSchema.parse(JSON.parse(message));
 *   console.log(event.type, event.subject.name);
 * }
 * ```
 *
 * @module
 */
export * from "./cloud_event.ts";
export * from "./event.ts";
export * from "./git.ts";
export * from "./routing.ts";
export * from "./topic.ts";
export * from "./typed.ts";
export * from "./vocabulary.ts";
