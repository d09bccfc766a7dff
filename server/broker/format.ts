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

/**
 * A CloudEvent 1.0 in structured mode (https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md).
 * `data` is the payload; what else the NormalizedEvent tells are attributes, its own ones as extensions.
 */
export function cloudEventsFormat({ event }: SerializedEvent): MessageBody {
  const { id, type, source, workspaceId, occurredAt, actor, subject, payload } = event;
  const extensions = {
    workspaceid: workspaceId,
    actortype: actor.type,
    actorid: actor.id,
    actorname: actor.name,
    actorurl: actor.url,
    subjecttype: subject.type,
    subjectid: subject.id,
    subjectname: subject.name,
    subjecturl: subject.url,
  };
  const texts = Object.entries(extensions).map(([name, value]) => [name, attribute(value ?? "")] as const);
  const body = JSON.stringify({
    specversion: "1.0",
    id,
    source: `urn:inlet:source:${source}`,
    type,
    subject: attribute(`${subject.type}/${subject.id}`),
    time: occurredAt,
    datacontenttype: "application/json",
    ...Object.fromEntries(texts.filter(([, value]) => value !== "")),
    data: payload,
  });
  return { contentType: "application/cloudevents+json; charset=utf-8", body };
}

/** The formats by their names in the configuration. */
export const messageFormats = { normalized: normalizedFormat, cloudevents: cloudEventsFormat } as const;

/** Attributes hold no control characters and no half surrogates: section "Type System" of the specification. */
function attribute(text: string): string {
  return text.toWellFormed().replaceAll(/[\p{Cc}\p{Noncharacter_Code_Point}]/gu, " ");
}
