/**
 * The wire format of Server-Sent Events, as the HTML standard defines it
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream).
 */

/** A message: `id` becomes the client's `Last-Event-ID`, `json` its `data`. JSON has no raw line breaks to escape. */
export function sseMessage(id: string, json: string): string {
  return `id: ${id}\ndata: ${json}\n\n`;
}

/** A message that says that events are missing before the next: clients listen for the event `gap`. */
export const SSE_GAP = "event: gap\ndata: {}\n\n";

/** What a stream begins with: how long a client waits before it connects again, in milliseconds. */
export function sseRetry(retryMs: number): string {
  return `retry: ${retryMs}\n\n`;
}

/** A comment that clients ignore and that keeps proxies from closing a silent connection. */
export const SSE_KEEP_ALIVE = ": keep-alive\n\n";

/** Headers of a stream: no cache keeps it, no proxy buffers it (`X-Accel-Buffering` is nginx's switch). */
export const SSE_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};
