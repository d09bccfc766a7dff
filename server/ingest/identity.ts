import { hash } from "node:crypto";
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

const NAMESPACE_BYTES = 16;
const encoder = new TextEncoder();

/**
 * A UUIDv5: RFC 9562, section 5.5. Not npm `uuid`, whose SHA-1 is written in JavaScript and takes six times as long: every
 * delivery needs two.
 */
function uuidv5(text: string, namespace: string): string {
  // UTF-8 has one replacement for all lone surrogates. Escaped as JSON, the text holds no newline, as all others do.
  const name = text.isWellFormed() ? text : JSON.stringify(text);
  // A character takes three bytes at most.
  const bytes = new Uint8Array(NAMESPACE_BYTES + 3 * name.length);
  bytes.setFromHex(namespace.replaceAll("-", ""));
  const { written } = encoder.encodeInto(name, bytes.subarray(NAMESPACE_BYTES));
  const hex = hash("sha1", bytes.subarray(0, NAMESPACE_BYTES + written), "hex");
  const variant = (Number.parseInt(hex.slice(16, 18), 16) & 0x3f | 0x80).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${
    hex.slice(20, 32)
  }`;
}
