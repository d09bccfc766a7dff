/**
 * What all sources of Inlet emit: every package of event types and payload schemas, and one union of all events.
 *
 * ```ts
 * import { GithubEventType, parseEvent } from "@inlet/events";
 *
 * declare const message: string;
 * const event = parseEvent(message);
 * if (event.type === GithubEventType.PR_OPENED) console.log(event.payload.pullRequest.title);
 * ```
 *
 * @module
 */
import { type InletEvent, payloadSchemas } from "./sources.ts";
import { parseEventWith } from "@inlet/events-core";

export * from "@inlet/events-core";
export * from "./sources.ts";

/** The type of any event that a source of Inlet emits. */
export type InletEventType = InletEvent["type"];

/** The events of one type: `InletEventOf<"github.pr.opened">` has a `payload.pullRequest`. */
export type InletEventOf<Type extends InletEventType> = Extract<InletEvent, { readonly type: Type }>;

/**
 * Reads an event of any source from the text of a message, or from the JSON value that the text was parsed to, and checks
 * its payload. What this version does not know of a payload is dropped.
 *
 * @throws {InvalidEventError} if it is no event, is of a type that this version does not know, or its payload does not
 * fit; the message says where, and quotes nothing
 */
export function parseEvent(json: unknown): InletEvent {
  return parseEventWith(payloadSchemas, json);
}
