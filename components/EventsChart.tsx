import type { JSX } from "preact";
import { minuteOf, niceTop, type Series, seriesShown, sumAt, total } from "./chart.ts";
import { EventsTable } from "./EventsTable.tsx";
import { countEvents } from "./words.ts";

const MINUTES = 60;
const WIDTH = 10;
const HEIGHT = 100;
const FILLS = ["fill-series-1", "fill-series-2", "fill-series-3", "fill-series-4", "fill-series-5", "fill-series-6"];

/** Events per minute of the last hour, a colour for each source, with the same numbers as a table. */
export function EventsChart({ series, now }: { series: readonly Series[]; now: Date }): JSX.Element {
  const shown = seriesShown(series);
  const minutes = Array.from({ length: MINUTES }, (_, minute) => minute);
  const top = niceTop(Math.max(...minutes.map((minute) => sumAt(shown, minute))));
  const all = shown.reduce((sum, { perMinute }) => sum + total(perMinute), 0);
  const label = `${countEvents(all)} in the last hour, at most ${
    Math.max(...minutes.map((m) => sumAt(shown, m)))
  } a minute`;
  return (
    <figure>
      <div class="chart">
        <div class="chart-axis" aria-hidden="true">
          <span>{top.toLocaleString("en")}</span>
          <span>0</span>
        </div>
        <svg
          role="img"
          aria-label={label}
          viewBox={`0 0 ${MINUTES * WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          class="h-40 w-full"
        >
          {[0, 0.5].map((part) => (
            <rect key={part} x="0" y={part * HEIGHT} width={MINUTES * WIDTH} height="0.6" class="fill-line" />
          ))}
          <rect x="0" y={HEIGHT - 0.6} width={MINUTES * WIDTH} height="0.6" class="fill-line" />
          {shown.map(({ name }, index) => <path key={name} d={barsOf(shown, index, top)} class={FILLS[index]} />)}
        </svg>
        <div class="chart-times muted" aria-hidden="true">
          <span>{minuteOf(now, 0, MINUTES)}</span>
          <span>{minuteOf(now, MINUTES / 2, MINUTES)}</span>
          <span>{minuteOf(now, MINUTES - 1, MINUTES)} UTC</span>
        </div>
      </div>
      <figcaption>
        <Legend series={shown} />
        <EventsTable series={shown} now={now} />
      </figcaption>
    </figure>
  );
}

/** The bars of one source, each on top of those before it. */
function barsOf(series: readonly Series[], index: number, top: number): string {
  return (series[index]?.perMinute ?? []).map((count, minute) => {
    if (count === 0) return "";
    const height = Math.round((count / top) * HEIGHT * 100) / 100;
    const foot = HEIGHT - Math.round((sumAt(series.slice(0, index), minute) / top) * HEIGHT * 100) / 100;
    return `M${minute * WIDTH + 1} ${foot}v-${height}h${WIDTH - 2}v${height}z`;
  }).join("");
}

function Legend({ series }: { series: readonly Series[] }): JSX.Element {
  return (
    <ul class="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-sm">
      {series.map(({ name, perMinute }, index) => (
        <li key={name} class="flex items-center gap-2">
          <svg width="10" height="10" aria-hidden="true">
            <rect width="10" height="10" rx="2" class={FILLS[index]} />
          </svg>
          {name}
          <span class="text-muted tabular-nums">{total(perMinute).toLocaleString("en")}</span>
        </li>
      ))}
    </ul>
  );
}
