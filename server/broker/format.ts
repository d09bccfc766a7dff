import { toCloudEvent } from "@inlet/events-core";
import type { SerializedEvent } from "../deps.ts";

/** What a message's body is, and how it says so. */
export interface MessageBody {
  readonly contentType: string;
  readonly body: string;
}

/** Writes an event as the body of a message. */
export type MessageFormat = (event: SerializedEvent) => MessageBody;

/** The NormalizedEvent as JSON. */
export function normalizedFormat({ json }: SerializedEvent): MessageBody {
  return { contentType: "application/json", body: json };
}

/** A CloudEvent 1.0 in structured mode. */
export function cloudEventsFormat({ event }: SerializedEvent): MessageBody {
  return { contentType: "application/cloudevents+json; charset=utf-8", body: JSON.stringify(toCloudEvent(event)) };
}

/** The formats by their names in the configuration. */
export const messageFormats = { normalized: normalizedFormat, cloudevents: cloudEventsFormat } as const;
