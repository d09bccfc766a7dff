import assert from "node:assert/strict";
import { z } from "zod";

/** The answer to an accepted delivery. */
export const acceptedSchema = z.strictObject({
  ok: z.literal(true),
  published: z.int(),
  queued: z.int().optional(),
  duplicate: z.literal(true).optional(),
});

/**
 * Asserts that a delivery was accepted, and gives how many events it became: published, or in the spool where the broker took
 * longer to confirm them than the source waits for an answer. Those may be published more than once.
 */
export async function acceptedEvents(response: Response, name: string): Promise<number> {
  const text = await response.text();
  assert.ok(response.status === 200 || response.status === 202, `${name}: ${response.status} ${text}`);
  const { published, queued = 0 } = acceptedSchema.parse(JSON.parse(text));
  return published + queued;
}
