import type { Delivery, Verdict } from "./webhook.ts";
import { missing } from "./hmac.ts";

/** How far a signed time may be from the present, either way: what Slack and Standard Webhooks ask for. */
export const TOLERANCE_MS = 5 * 60_000;

/**
 * Whether the time that a source signed is the present one, so that a request that was recorded cannot be sent again
 * later: seconds since the epoch in the header `header`.
 */
export function freshness({ headers, receivedAt }: Delivery, header: string): Verdict {
  const text = headers.get(header);
  return text === null || text === ""
    ? missing(header)
    : freshnessOf(text, receivedAt, `the header ${header}`, TOLERANCE_MS);
}

/** {@link freshness} of a time that stands elsewhere, and may be `toleranceMs` off; `place` names it, for the verdict. */
export function freshnessOf(text: string, receivedAt: Date, place: string, toleranceMs: number): Verdict {
  if (!/^\d{1,12}$/.test(text)) {
    return { authentic: false, fault: "malformed", detail: `${place} is not a time in seconds since 1970` };
  }
  const lateMs = receivedAt.getTime() - Number(text) * 1000;
  if (Math.abs(lateMs) <= toleranceMs) return { authentic: true };
  const seconds = Math.round(Math.abs(lateMs) / 1000);
  const off = `${seconds} s ${lateMs > 0 ? "old" : "ahead"}, and ${toleranceMs / 1000} s are allowed`;
  const detail = `${place} is ${off}: the request was sent again later, or a clock is wrong`;
  return { authentic: false, fault: "stale", detail };
}
