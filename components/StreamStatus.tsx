import type { JSX } from "preact";
import { countEvents } from "./words.ts";

/** How a live stream's connection stands. */
export type StreamConnection = "connecting" | "live" | "reconnecting" | "signed-out";

const TOLD = {
  connecting: ["Connecting", "text-muted"],
  live: ["Live", "text-good"],
  reconnecting: ["Reconnecting", "text-warn"],
  "signed-out": ["Signed out", "text-warn"],
} as const;

/** The state of a live stream. It is announced when it changes; the numbers beside it are not. */
export function StreamStatus({ connection, paused }: { connection: StreamConnection; paused: boolean }): JSX.Element {
  const [name, colour] = TOLD[connection];
  return (
    <p role="status" class="flex items-center gap-2" data-connection={connection}>
      <span class={`badge ${colour}`}>
        <svg viewBox="0 0 8 8" class="size-2" aria-hidden="true">
          <circle cx="4" cy="4" r="3" stroke="currentColor" fill={connection === "live" ? "currentColor" : "none"} />
        </svg>
        {name}
      </span>
      {connection === "signed-out" && <a href="">Sign in again</a>}
      {paused && <span class="badge text-accent">Paused</span>}
    </p>
  );
}

/** Numbers as people read them. */
const formatCount = (count: number): string => count.toLocaleString("en");

/** What came, what is shown of it and what waits. */
export function StreamCounts({ came, held, older, waiting, matched }: {
  came: number;
  held: number;
  older: number;
  waiting: number;
  matched: number;
}): JSX.Element {
  return (
    <p class="muted tabular-nums" data-came={came}>
      {matched === held ? countEvents(held) : `${formatCount(matched)} of ${formatCount(held)} events match`}
      {older > 0 && `, ${formatCount(older)} older dropped`}
      {waiting > 0 && <strong class="font-medium text-accent">{`, ${formatCount(waiting)} new waiting`}</strong>}
    </p>
  );
}
