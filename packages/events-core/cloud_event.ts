import { z } from "zod";
import { actorSchema, type NormalizedEvent, normalizedEventSchema } from "./event.ts";

const { id, type, workspaceId, occurredAt, payload } = normalizedEventSchema.shape;
const SOURCE = "urn:inlet:source:";
const text = z.string().min(1);

/**
 * An event as a CloudEvent 1.0 in structured mode, which is what the broker's messages are where the service runs with
 * `MESSAGE_FORMAT=cloudevents`. `data` is the payload; what else the event tells are attributes, its own as extensions
 * (https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md).
 */
export const cloudEventSchema = z.object({
  specversion: z.literal("1.0"),
  id,
  source: z.string().regex(/^urn:inlet:source:./, `must be ${SOURCE}<connector id>`),
  type,
  subject: text,
  time: occurredAt,
  datacontenttype: z.literal("application/json"),
  workspaceid: workspaceId,
  actortype: actorSchema.shape.type,
  actorid: text,
  actorname: text.optional(),
  actorurl: text.optional(),
  subjecttype: text,
  subjectid: text,
  subjectname: text.optional(),
  subjecturl: text.optional(),
  data: payload,
}).meta({ description: "A CloudEvent 1.0 in structured mode; data is the event's payload" });

/** An event as a CloudEvent; see {@link cloudEventSchema}. */
export type CloudEvent = z.output<typeof cloudEventSchema>;

/**
 * Writes an event as a CloudEvent. Attributes hold no control characters and no half surrogates, so those become blanks
 * and U+FFFD; a name or URL that is empty is left out.
 */
export function toCloudEvent(event: NormalizedEvent): CloudEvent {
  const { actor, subject } = event;
  return {
    specversion: "1.0",
    id: event.id,
    source: `${SOURCE}${event.source}`,
    type: event.type,
    subject: attribute(`${subject.type}/${subject.id}`),
    time: event.occurredAt,
    datacontenttype: "application/json",
    workspaceid: event.workspaceId,
    actortype: actor.type,
    actorid: attribute(actor.id),
    ...actor.name ? { actorname: attribute(actor.name) } : {},
    ...actor.url ? { actorurl: attribute(actor.url) } : {},
    subjecttype: attribute(subject.type),
    subjectid: attribute(subject.id),
    ...subject.name ? { subjectname: attribute(subject.name) } : {},
    ...subject.url ? { subjecturl: attribute(subject.url) } : {},
    data: event.payload,
  };
}

/** Reads a CloudEvent of {@link toCloudEvent} back: all that the event told. */
export function fromCloudEvent(event: CloudEvent): NormalizedEvent {
  const { actorname, actorurl, subjectname, subjecturl } = event;
  return {
    id: event.id,
    type: event.type,
    workspaceId: event.workspaceid,
    occurredAt: event.time,
    source: event.source.slice(SOURCE.length),
    actor: { type: event.actortype, id: event.actorid, ...named(actorname, actorurl) },
    subject: { type: event.subjecttype, id: event.subjectid, ...named(subjectname, subjecturl) },
    payload: event.data,
  };
}

function named(name: string | undefined, url: string | undefined): { name?: string; url?: string } {
  return { ...name === undefined ? {} : { name }, ...url === undefined ? {} : { url } };
}

/** Section "Type System" of the specification. */
function attribute(value: string): string {
  return value.toWellFormed().replaceAll(/[\p{Cc}\p{Noncharacter_Code_Point}]/gu, " ");
}
