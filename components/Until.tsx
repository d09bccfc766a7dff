import type { JSX } from "preact";

/** A time to come, to the minute, in UTC. */
export function Until({ date }: { date: Date }): JSX.Element {
  const exact = date.toISOString();
  return <time class="whitespace-nowrap" dateTime={exact}>{`${exact.slice(0, 10)} ${exact.slice(11, 16)} UTC`}</time>;
}
