import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
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

/**
 * A UUIDv5: RFC 9562, section 5.5. Not npm `uuid`, whose SHA-1 is written in JavaScript and takes six times as long: every
 * delivery needs two.
 */
function uuidv5(name: string, namespace: string): string {
  const hash = createHash("sha1").update(Buffer.from(namespace.replaceAll("-", ""), "hex")).update(name).digest();
  hash[6] = (hash.readUInt8(6) & 0x0f) | 0x50;
  hash[8] = (hash.readUInt8(8) & 0x3f) | 0x80;
  const hex = hash.toString("hex", 0, 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
