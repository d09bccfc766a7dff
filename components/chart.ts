/** Events per minute of one source, oldest first. */
export interface Series {
  readonly name: string;
  readonly perMinute: readonly number[];
}

/** How many sources are told apart by colour; those with fewer events become one. */
const MOST_SERIES = 6;

/** The busiest sources first; beyond the sixth, all as one. Sources without events are left out. */
export function seriesShown(all: readonly Series[]): Series[] {
  const busy = all.filter(({ perMinute }) => total(perMinute) > 0)
    .sort((a, b) => total(b.perMinute) - total(a.perMinute));
  if (busy.length <= MOST_SERIES) return busy;
  const others = busy.slice(MOST_SERIES - 1);
  const minutes = others[0]?.perMinute.map((_, minute) => sumAt(others, minute)) ?? [];
  return [...busy.slice(0, MOST_SERIES - 1), { name: `${others.length} others`, perMinute: minutes }];
}

/** All events of a row. */
export function total(perMinute: readonly number[]): number {
  return perMinute.reduce((sum, count) => sum + count, 0);
}

/** All events of one minute. */
export function sumAt(series: readonly Series[], minute: number): number {
  return series.reduce((sum, { perMinute }) => sum + (perMinute[minute] ?? 0), 0);
}

/** The least of 1, 2, 5, 10, 20, 50, ... that is no less than `value`: the top of an axis. */
export function niceTop(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return [1, 2, 5, 10].map((step) => step * power).find((top) => top >= value) ?? value;
}

/** When minute `index` of `count` began, as `14:05` in UTC; the last is the present one. */
export function minuteOf(now: Date, index: number, count: number): string {
  return new Date(now.getTime() - (count - 1 - index) * 60_000).toISOString().slice(11, 16);
}
