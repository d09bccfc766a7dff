import type { NormalizedEvent } from "@inlet/events-core";
import type { EventDraft } from "../../connectors/kit/mod.ts";
import type { SerializedEvent } from "../deps.ts";
import { eventId } from "./identity.ts";

/** What an event's id is made of: the same always gives the same. */
export interface Origin {
  readonly workspaceId: string;
  readonly connectorId: string;
  /** The event's own key, or the id of the delivery that it came in. */
  readonly occurrence: string;
  /** Its place in the delivery; 0 for an event with a key. */
  readonly index: number;
}

/** Makes a draft an event: puts id, workspace and source on it. */
export function stamp({ workspaceId, connectorId, occurrence, index }: Origin, draft: EventDraft): SerializedEvent {
  const { type, occurredAt, actor, subject, payload } = draft;
  const event: NormalizedEvent = {
    id: eventId(workspaceId, connectorId, occurrence, index),
    type,
    workspaceId,
    occurredAt: occurredAt.toISOString(),
    source: connectorId,
    actor,
    subject,
    payload,
  };
  return { event, json: JSON.stringify(event) };
}
