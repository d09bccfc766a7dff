import type { JSX } from "preact";

const UNITS = [["day", 86_400], ["hour", 3600], ["minute", 60]] as const;
const words = new Intl.RelativeTimeFormat("en", { numeric: "always", style: "short" });

/** How long ago, or in how long, in words. */
export function relative(date: Date, now: Date): string {
  const seconds = Math.round((now.getTime() - date.getTime()) / 1000);
  const unit = UNITS.find(([, size]) => Math.abs(seconds) >= size);
  if (unit !== undefined) return words.format(-Math.trunc(seconds / unit[1]), unit[0]);
  return Math.abs(seconds) < 10 ? "just now" : words.format(-seconds, "second");
}

/** A time as people say it, with the exact one (UTC) at hand. */
export function Time({ date, now }: { date: Date; now: Date }): JSX.Element {
  const exact = date.toISOString();
  return (
    <time class="whitespace-nowrap" dateTime={exact} title={`${exact.slice(0, 10)} ${exact.slice(11, 19)} UTC`}>
      {relative(date, now)}
    </time>
  );
}
