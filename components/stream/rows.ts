/** Which rows of a list of rows of one height are in sight, so that only those are rendered. */

/** Where a list is looked at; lengths in pixels. */
export interface Sight {
  readonly scrollTop: number;
  readonly height: number;
  readonly rowHeight: number;
}

/** Rows rendered beyond the edges, so that scrolling does not show gaps. */
const SPARE = 6;

/** The rows in sight: from `first` up to, not including, `end`. */
export function rowsInSight({ scrollTop, height, rowHeight }: Sight, count: number): { first: number; end: number } {
  const first = Math.max(0, Math.min(count, Math.floor(scrollTop / rowHeight)) - SPARE);
  return { first, end: Math.min(count, Math.ceil((scrollTop + height) / rowHeight) + SPARE) };
}

/** How far to scroll so that a row is wholly in sight, as little as possible. */
export function scrollTo(row: number, { scrollTop, height, rowHeight }: Sight): number {
  const top = row * rowHeight;
  return Math.max(Math.min(scrollTop, top), top + rowHeight - height);
}

/** The row that a key leads to from the row `from` (-1: none), or `undefined` if the key is not for moving. */
export function rowAfterKey(
  key: string,
  from: number,
  count: number,
  { height, rowHeight }: Sight,
): number | undefined {
  const page = Math.max(1, Math.floor(height / rowHeight) - 1);
  const steps: Record<string, number> = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    PageDown: from + page,
    PageUp: from - page,
    Home: 0,
    End: count - 1,
  };
  const to = Object.hasOwn(steps, key) ? steps[key] : undefined;
  return to === undefined ? undefined : Math.max(0, Math.min(to, count - 1));
}
