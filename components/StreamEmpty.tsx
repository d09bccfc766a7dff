import type { JSX } from "preact";
import { timeOfDay } from "./words.ts";

/** What stands where the events will. */
export function StreamEmpty({ filtered }: { filtered: boolean }): JSX.Element {
  return (
    <div class="flex h-full flex-col items-center justify-center gap-1 p-6 text-center">
      <p class="font-medium">{filtered ? "No event matches the filter" : "Waiting for events"}</p>
      {!filtered && (
        <p class="muted">
          They appear here as they come. To see one now, send a test event from{" "}
          <a href="/dashboard/connectors">a connector</a>.
        </p>
      )}
    </div>
  );
}

/** Says that events may be missing from the list. */
export function StreamGap({ gap }: { gap: { readonly from: number; readonly to: number } | undefined }): JSX.Element {
  const clock = (ms: number) => <time datetime={new Date(ms).toISOString()}>{timeOfDay(ms)}</time>;
  return (
    <>
      {gap !== undefined && (
        <p class="basis-full text-sm text-warn" data-gap>
          The connection was lost from {clock(gap.from)} to{" "}
          {clock(gap.to)}, and the service no longer has all events of that time.
        </p>
      )}
    </>
  );
}
