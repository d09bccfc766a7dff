import type { JSX } from "preact";
import type { StreamEvent } from "./stream/event.ts";
import { timeOfDay } from "./words.ts";

/** The id of an event's row in the document. */
export const rowId = ({ seq }: StreamEvent): string => `event-${seq}`;

/** One event in the list: when it arrived, what it is, whom and what it concerns. */
export function StreamRow({ event, position, count, active, open, onOpen }: {
  event: StreamEvent;
  /** From 1. */
  position: number;
  count: number;
  /** Whether the keyboard is here. */
  active: boolean;
  open: boolean;
  onOpen: (event: StreamEvent) => void;
}): JSX.Element {
  const { type, subject, actor, occurredAt, arrivedAt } = event;
  const arrived = new Date(arrivedAt).toISOString();
  return (
    <div
      role="option"
      id={rowId(event)}
      aria-selected={open}
      aria-setsize={count}
      aria-posinset={position}
      data-active={active}
      onClick={() => onOpen(event)}
      class="grid h-13 cursor-pointer grid-cols-[auto_1fr_auto] content-center items-baseline gap-x-3 border-b border-line
        px-3 text-sm hover:bg-sunken aria-selected:bg-sunken data-[active=true]:outline-2
        data-[active=true]:-outline-offset-2 data-[active=true]:outline-accent
        md:h-8.5 md:grid-cols-[4.5rem_minmax(12rem,2fr)_3fr_minmax(5rem,1fr)]"
    >
      <time
        datetime={arrived}
        title={`arrived ${arrived}, occurred ${occurredAt}`}
        class="text-muted tabular-nums max-md:order-3"
      >
        {timeOfDay(arrivedAt)}
      </time>
      <code class="truncate max-md:order-1 max-md:col-span-2">{type}</code>
      <bdi class="truncate max-md:order-4 max-md:col-span-2">{subject}</bdi>
      <bdi class="truncate text-muted max-md:order-5 max-md:max-w-32">{actor}</bdi>
    </div>
  );
}
