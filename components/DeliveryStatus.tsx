import type { JSX } from "preact";

/** The HTTP status that a delivery was answered with. */
export function DeliveryStatus({ status }: { status: number }): JSX.Element {
  const colour = status < 300 ? "text-good" : status < 500 ? "text-warn" : "text-bad";
  return <span class={`badge tabular-nums ${colour}`}>{status}</span>;
}

/** What became of events that were taken, in words: whether they were published, or wait until they can be. */
export function takenEvents({ published, queued }: { readonly published: number; readonly queued: number }): string {
  const all = countEvents(published + queued);
  if (queued === 0) return `${all} ${published === 1 ? "was" : "were"} published`;
  const waiting = published === 0 ? all : `${queued} of ${all}`;
  return `${waiting} ${queued === 1 ? "waits" : "wait"} in the spool until the broker confirms`;
}

/** `1 event`, `3 events`. */
export function countEvents(count: number): string {
  return `${count.toLocaleString("en")} ${count === 1 ? "event" : "events"}`;
}
