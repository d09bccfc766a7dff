import { type EventDraft, isDeeper } from "../../connectors/kit/mod.ts";
import { DeliveryLimitError } from "../errors.ts";
import type { Limits } from "../limits.ts";

/** Events may be so many times as large as their delivery, in characters against its bytes: it says once what each of them tells. */
const MOST_TIMES = 4;

/** So large they may be whatever the delivery is: a push of many small commits tells of its repository with each. */
const ALWAYS = 16 * 1024 * 1024;

/** How many characters the events of a delivery of `bodyBytes` may have as JSON, all together. */
export function roomForEvents(bodyBytes: number): number {
  return Math.max(ALWAYS, MOST_TIMES * bodyBytes);
}

/**
 * Refuses a delivery that would become too much. Bodies are parsed without recursion, and read by narrow schemas: only
 * what is passed on has to be looked at.
 *
 * @throws {DeliveryLimitError} if it holds more events, or one nested deeper, than `limits` allow
 */
export function checkDrafts(
  drafts: readonly EventDraft[],
  { maxEventsPerDelivery, maxJsonDepth }: Pick<Limits, "maxEventsPerDelivery" | "maxJsonDepth">,
): void {
  if (drafts.length > maxEventsPerDelivery) {
    throw new DeliveryLimitError(
      `Cannot take the delivery: it holds ${drafts.length} events, and ${maxEventsPerDelivery} are the most ` +
        "(MAX_EVENTS_PER_DELIVERY); send it in parts",
    );
  }
  for (const { type, payload } of drafts) {
    if (!isDeeper(payload, maxJsonDepth)) continue;
    throw new DeliveryLimitError(
      `Cannot take the delivery: the payload of ${type} is nested deeper than ${maxJsonDepth} levels (MAX_JSON_DEPTH)`,
    );
  }
}
