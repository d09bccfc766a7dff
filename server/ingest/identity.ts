import { v5 as uuidv5 } from "uuid";
import type { DeliveryKey } from "../deps.ts";

/**
 * The id of the event at `index` of a delivery: a UUIDv5 (RFC 9562, section 5.5) in the workspace's own namespace.
 * The same delivery always gives the same ids, on whatever process and however often it arrives.
 */
export function eventId(workspaceId: string, connectorId: string, deliveryId: string, index: number): string {
  // Neither a connector id nor an index holds a newline, so no two deliveries share a name.
  return uuidv5(`${connectorId}\n${deliveryId}\n${index}`, workspaceId);
}

/** What a delivery is recognized by when it comes again: a UUIDv5 as {@link eventId} makes, of all of the delivery. */
export function deliveryKey(workspaceId: string, connectorId: string, deliveryId: string): DeliveryKey {
  return { workspaceId, id: uuidv5(`${connectorId}\n${deliveryId}`, workspaceId) };
}
