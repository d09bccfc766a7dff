import type { JSX, RefObject } from "preact";
import type { StreamEvent } from "./stream/event.ts";
import { rowsInSight, type Sight } from "./stream/rows.ts";
import { rowId, StreamRow } from "./StreamRow.tsx";

/** The events, newest first. Only the rows in sight are rendered. */
export function StreamList({ events, sight, active, open, listRef, onScroll, onKey, onOpen }: {
  /** The newest last. */
  events: readonly StreamEvent[];
  sight: Sight;
  /** Where the keyboard is. */
  active: StreamEvent | undefined;
  open: StreamEvent | undefined;
  listRef: RefObject<HTMLDivElement>;
  onScroll: (scrollTop: number) => void;
  onKey: (event: KeyboardEvent) => void;
  onOpen: (event: StreamEvent) => void;
}): JSX.Element {
  const count = events.length;
  const { first, end } = rowsInSight(sight, count);
  const rows = events.slice(count - end, count - first).reverse();
  const rendered = active !== undefined && rows.includes(active);
  return (
    <div
      ref={listRef}
      role="listbox"
      aria-label="Events, newest first"
      aria-activedescendant={rendered ? rowId(active) : undefined}
      tabIndex={0}
      class="h-full overflow-y-auto overscroll-contain rounded-lg [overflow-anchor:none]"
      onScroll={(event) => onScroll(event.currentTarget.scrollTop)}
      onKeyDown={onKey}
    >
      <div role="presentation" style={{ height: `${count * sight.rowHeight}px` }}>
        <div role="presentation" style={{ transform: `translateY(${first * sight.rowHeight}px)` }}>
          {rows.map((event, index) => (
            <StreamRow
              key={event.seq}
              event={event}
              position={first + index + 1}
              count={count}
              active={event === active}
              open={event === open}
              onOpen={onOpen}
            />
          ))}
        </div>
      </div>
    </div>
  );
}
