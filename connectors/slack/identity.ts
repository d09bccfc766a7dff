import { z } from "zod";
import { id } from "./input.ts";

const identified = z.object({ event_id: id.optional(), trigger_id: id.optional() });

/**
 * Slack's id of a delivery: `event_id` of an event, which its retries keep, and `trigger_id` of an interaction, which no
 * other has. Null for what has neither, such as a closed view: Slack does not send that again.
 */
export function deliveryId(body: unknown): string | null {
  const { data } = identified.safeParse(body);
  return data?.event_id ?? data?.trigger_id ?? null;
}
