import { z } from "zod";

/**
 * Matches an event type: `<connector_id>.<entity>.<action>`, each segment lower-case letters, digits, `_` or `-`.
 * No segment is empty, so a type is also a valid AMQP routing key of exactly three words.
 */
export const EVENT_TYPE_PATTERN: RegExp = /^[a-z0-9][a-z0-9_-]*(?:\.[a-z0-9][a-z0-9_-]*){2}$/;

/** An event type, `<connector_id>.<entity>.<action>`, such as `github.pr.opened`; see {@link EVENT_TYPE_PATTERN}. */
export const eventTypeSchema = z.string()
  .regex(EVENT_TYPE_PATTERN, "must be <connector_id>.<entity>.<action> in lower case")
  .meta({ description: "Event type: <connector_id>.<entity>.<action>", example: "github.pr.opened" });

/** The kinds of actor an event can name. `system` is the source itself, where it names nobody. */
export const ACTOR_TYPES = ["user", "bot", "organization", "app", "device", "system"] as const;

/** Who caused an event. `id` is the source's own stable identifier, as a string. */
export const actorSchema = z.object({
  type: z.enum(ACTOR_TYPES).meta({ description: "What kind of actor this is" }),
  id: z.string().min(1).meta({ description: "The source's stable identifier of the actor" }),
  name: z.string().optional().meta({ description: "Login or display name" }),
  url: z.string().optional().meta({ description: "Where a person can look the actor up" }),
}).meta({ description: "Who caused the event" });

/** Who caused an event. */
export type Actor = z.output<typeof actorSchema>;

/** What an event concerns. `type` is the entity's kind (`commit`, `pr`, …), `id` is unique within source and type. */
export const subjectSchema = z.object({
  type: z.string().min(1).meta({ description: "The kind of thing the event concerns" }),
  id: z.string().min(1).meta({ description: "The source's identifier of it, unique within its type" }),
  name: z.string().optional().meta({ description: "Title or display name" }),
  url: z.string().optional().meta({ description: "Where a person can look it up" }),
}).meta({ description: "What the event concerns" });

/** What an event concerns. */
export type Subject = z.output<typeof subjectSchema>;

/**
 * The one shape every event has, whatever its source: the body of each broker message and of each live stream message.
 * `id` is a UUID and deterministic: the same delivery always gives the same ids, so a consumer drops repeats by `id`.
 * `occurredAt` is the source's own time where it has one, else the time of arrival: RFC 3339, UTC, milliseconds.
 */
export const normalizedEventSchema = z.object({
  id: z.uuid().meta({ description: "Event identifier; the same delivery always gives the same ids" }),
  type: eventTypeSchema,
  workspaceId: z.uuid().meta({ description: "Owning workspace" }),
  occurredAt: z.iso.datetime({ precision: 3 }).meta({ description: "RFC 3339 in UTC with milliseconds" }),
  source: z.string().min(1).meta({ description: "Originating connector id" }),
  actor: actorSchema,
  subject: subjectSchema,
  payload: z.record(z.string(), z.unknown()).meta({ description: "Event-specific data, shaped by the event type" }),
}).meta({ description: "One event in the shape that every source is normalized into" });

/** One event in the shape that every source is normalized into; see {@link normalizedEventSchema}. */
export type NormalizedEvent = z.output<typeof normalizedEventSchema>;
