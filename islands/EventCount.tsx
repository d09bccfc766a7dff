import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { countEvents } from "../components/words.ts";
import { readEvent } from "../components/stream/event.ts";
import { matcher } from "../components/stream/filter.ts";
import { listenTo } from "../components/stream/listen.ts";

/** What {@link EventCount} is given. */
export interface EventCountProps {
  /** The type whose events are counted; may be a pattern. */
  readonly trigger: string;
  /** How many there were when the page was made. */
  readonly seen: number;
  /** Where the server tells how many there are now, as JSON. */
  readonly countUrl: string;
  readonly streamUrl: string;
}

/** The server has counted an event soon after it is on the stream; many events are asked about once. */
const SETTLE_MS = 500;
/** Events that another process took are counted a little later than they are on the stream. */
const ASK_MS = 10_000;

/** How many events of a type there were, kept up to date while the page is open. */
export default function EventCount({ trigger, seen, countUrl, streamUrl }: EventCountProps): JSX.Element {
  const [count, setCount] = useState(seen);
  const [live, setLive] = useState(false);
  useEffect(() => {
    const ask = async () => {
      const told = await askCount(countUrl);
      if (told !== undefined) setCount(told);
    };
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const askSoon = () => {
      waiting ??= setTimeout(() => {
        waiting = undefined;
        ask();
      }, SETTLE_MS);
    };
    const isMeant = matcher({ type: trigger, source: "", text: "" });
    const stop = listenTo(streamUrl, {
      message({ data }) {
        const event = readEvent(data, 0, 0);
        if (event !== undefined && isMeant(event)) askSoon();
      },
      connection(state) {
        setLive(state === "live");
        if (state === "live") askSoon();
      },
      gap: askSoon,
    }, true);
    const again = setInterval(ask, ASK_MS);
    return () => {
      stop();
      clearTimeout(waiting);
      clearInterval(again);
    };
  }, []);
  return (
    <p class="flex items-baseline gap-2" data-live={live ? "true" : undefined}>
      <span class="text-lg font-semibold tabular-nums">{countEvents(count)}</span>
      <span class="muted">so far{live && ", counted live"}</span>
    </p>
  );
}

async function askCount(url: string): Promise<number | undefined> {
  try {
    const told: unknown = await (await fetch(url)).json();
    return typeof told === "object" && told !== null && "seen" in told && typeof told.seen === "number"
      ? told.seen
      : undefined;
  } catch {
    return undefined; // It is asked again.
  }
}
