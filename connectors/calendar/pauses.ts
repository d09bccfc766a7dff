import { giveWay } from "../kit/mod.ts";

/** To be awaited wherever work goes on to its next part: pauses if the thread was held for long. */
export type Pause = () => Promise<void>;

/** Whatever else the service has to do waits no longer than this, and than one part of the work. */
const MOST_HELD_MS = 50;

/**
 * Makes the pauses of one poll: who sends an invitation decides how long it takes to read. They reject with the reason of
 * `signal` when that aborts, for nobody waits for the rest then.
 */
export function pausesOf(signal: AbortSignal): Pause {
  let begun = performance.now();
  return async () => {
    if (performance.now() - begun < MOST_HELD_MS) return;
    await giveWay();
    signal.throwIfAborted();
    begun = performance.now();
  };
}
