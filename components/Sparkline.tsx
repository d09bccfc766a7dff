import type { JSX } from "preact";
import { total } from "./chart.ts";
import { countEvents } from "./words.ts";

const HEIGHT = 24;
const STEP = 3;

/** Events per minute of the last hour as small bars, and their sum as text. */
export function Sparkline({ perMinute }: { perMinute: readonly number[] }): JSX.Element {
  const sum = total(perMinute);
  const most = Math.max(1, ...perMinute);
  const path = perMinute.map((count, index) => {
    const height = count === 0 ? 0 : Math.max(2, Math.round((count / most) * HEIGHT));
    return height === 0 ? "" : `M${index * STEP} ${HEIGHT}v-${height}h2v${height}z`;
  }).join("");
  const width = perMinute.length * STEP;
  return (
    <span class="inline-flex items-center gap-2 whitespace-nowrap">
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} width={width} height={HEIGHT} aria-hidden="true">
        <rect y={HEIGHT - 1} width={width} height="1" class="fill-line" />
        <path d={path} class="fill-accent" />
      </svg>
      <span class="text-sm tabular-nums">
        {countEvents(sum)}
        <span class="sr-only">
          {sum === 0 ? " in the last hour" : ` in the last hour, at most ${most} in a minute`}
        </span>
      </span>
    </span>
  );
}
