import { z } from "zod";

/** The answer to an accepted delivery. */
export const acceptedSchema = z.strictObject({
  ok: z.literal(true),
  published: z.int(),
  queued: z.int().optional(),
  duplicate: z.literal(true).optional(),
});
