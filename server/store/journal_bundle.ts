import { Buffer } from "node:buffer";
import { z } from "zod";
import type { Sealer, SerializedEvent } from "../deps.ts";
import { sealJson, unsealJson } from "./sealed.ts";

/** Events of one workspace that were written together, as they are stored. */
export const bundleSchema = z.object({
  /** The ids of the events, in order. */
  ids: z.array(z.string()),
  /** The events as JSON, sealed together. */
  sealed: z.base64(),
});

/** A bundle as it is stored. */
export type StoredBundle = z.output<typeof bundleSchema>;

/** Events up to this go together: sealed, in base64, the record stays in one piece. */
const BUNDLE_BYTES = 40 * 1024;

/** Puts events together that are of one workspace, in their order. One that is too large for it goes alone. */
export function bundlesOf(events: readonly SerializedEvent[]): SerializedEvent[][] {
  const bundles: { events: SerializedEvent[]; bytes: number }[] = [];
  for (const event of events) {
    const bytes = Buffer.byteLength(event.json);
    const last = bundles.at(-1);
    if (last !== undefined && last.bytes + bytes <= BUNDLE_BYTES) {
      last.events.push(event);
      last.bytes += bytes;
    } else {
      bundles.push({ events: [event], bytes });
    }
  }
  return bundles.map(({ events }) => events);
}

/** Seals a bundle for its place. */
export async function sealBundle(
  sealer: Sealer,
  events: readonly SerializedEvent[],
  context: string,
): Promise<StoredBundle> {
  return { ids: events.map(({ event }) => event.id), sealed: await sealJson(sealer, events, context) };
}

/**
 * The events of a bundle, as JSON.
 *
 * @throws {EncryptionKeyError} if it was sealed with another key or for another place
 */
export async function unsealBundle(
  sealer: Sealer,
  { ids, sealed }: StoredBundle,
  context: string,
): Promise<{ id: string; json: string }[]> {
  const texts = await unsealJson(sealer, sealed, context);
  return ids.map((id, index) => ({ id, json: texts[index] ?? "" }));
}

/** What a bundle is sealed for. */
export function bundleContext(workspaceId: string, position: string): string {
  return `journal/${workspaceId}/${position}`;
}
