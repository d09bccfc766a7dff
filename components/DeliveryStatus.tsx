import type { JSX } from "preact";

/** The HTTP status that a delivery was answered with. */
export function DeliveryStatus({ status }: { status: number }): JSX.Element {
  const colour = status < 300 ? "text-good" : status < 500 ? "text-warn" : "text-bad";
  return <span class={`badge tabular-nums ${colour}`}>{status}</span>;
}
