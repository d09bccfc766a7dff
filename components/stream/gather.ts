import type { StreamMessage } from "./feed.ts";

/** More than this is not left to gather: a tab in the background may get no frame for hours. */
const MOST_MESSAGES = 2000;
const MOST_CHARS = 8_000_000;

/** How long a tab that gets no frames, such as one that nobody sees, lets messages gather. */
const NO_FRAME_MS = 500;

/** Gathers messages, and gives those of one frame to `take` at once. */
export function gatherByFrame(take: (messages: readonly StreamMessage[]) => void): (message: StreamMessage) => void {
  let messages: StreamMessage[] = [];
  let chars = 0;
  let waiting = false;

  function deliver(): void {
    const gathered = messages;
    messages = [];
    chars = 0;
    if (gathered.length > 0) take(gathered);
  }

  function wait(): void {
    if (waiting) return;
    waiting = true;
    const onTime = () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      waiting = false;
      deliver();
    };
    const frame = requestAnimationFrame(onTime);
    const timer = setTimeout(onTime, NO_FRAME_MS);
  }

  return (message) => {
    messages.push(message);
    chars += message.data.length;
    if (messages.length >= MOST_MESSAGES || chars >= MOST_CHARS) deliver();
    else wait();
  };
}
