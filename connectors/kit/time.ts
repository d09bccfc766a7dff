/** RFC 3339 has four digits for the year; a time without an offset would mean another instant on each machine. */
const LAST_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
/** Go writes a time that is not set as 0001-01-01T00:00:00Z: what lies in that year or before it is none. */
const FIRST_INSTANT = Date.parse("0002-01-01T00:00:00Z");
const WITHOUT_OFFSET = /^\d{4}-\d\d-\d\d[Tt ][\d:.,]+$/;

/**
 * Reads a source's time: an ISO 8601 string (without an offset: UTC) or seconds since the epoch, as GitHub mixes them.
 * Anything else, an impossible date included, gives `otherwise`: a missing time is no reason to refuse an event.
 */
export function instant(value: unknown, otherwise: Date): Date {
  if (typeof value !== "string" && typeof value !== "number") return otherwise;
  const text = typeof value === "string" && WITHOUT_OFFSET.test(value) ? `${value}Z` : value;
  const time = new Date(typeof text === "number" ? text * 1000 : text);
  return time.getTime() >= FIRST_INSTANT && time.getTime() <= LAST_INSTANT ? time : otherwise;
}
