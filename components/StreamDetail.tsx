import type { JSX, RefObject } from "preact";
import type { StreamEvent } from "./stream/event.ts";
import { sendCommand } from "./stream/commands.ts";
import { JsonView } from "./JsonView.tsx";

/** One event, whole: it stays while the stream goes on. */
export function StreamDetail({ event, said, headingRef, onCopy, onClose }: {
  event: StreamEvent;
  /** What came of the last copying. */
  said: string;
  headingRef: RefObject<HTMLHeadingElement>;
  onCopy: (text: string, what: string) => void;
  onClose: () => void;
}): JSX.Element {
  return (
    <section
      aria-labelledby="event-heading"
      onKeyDown={({ key }) => key === "Escape" && onClose()}
      class="card flex min-h-0 flex-col gap-2 p-3 max-lg:fixed max-lg:inset-x-2 max-lg:bottom-2 max-lg:z-10
        max-lg:max-h-[75dvh] max-lg:shadow-lg"
    >
      <h2 id="event-heading" ref={headingRef} tabIndex={-1} class="font-mono text-sm wrap-anywhere">{event.type}</h2>
      <div class="muted flex min-h-5 flex-wrap justify-between gap-x-3">
        <p>
          Occurred <time datetime={event.occurredAt}>{event.occurredAt}</time>
        </p>
        <p role="status" class="text-good">{said}</p>
      </div>
      <div class="flex flex-wrap gap-2">
        <button
          type="button"
          class="button"
          title="Copies the event's JSON"
          onClick={() => onCopy(event.json, "The event")}
        >
          Copy event
        </button>
        <button
          type="button"
          class="button"
          title="Copies a command that sends this event's JSON to a consumer of yours, at $CONSUMER_URL"
          onClick={() => onCopy(sendCommand(event.json), "The command")}
        >
          Copy as curl
        </button>
        <button type="button" class="button ml-auto" title="Escape" onClick={onClose}>Close</button>
      </div>
      <div
        tabIndex={0}
        role="region"
        aria-label="The event as JSON"
        class="min-h-0 flex-1 overflow-y-auto overscroll-contain rounded bg-sunken p-3"
      >
        <JsonView value={JSON.parse(event.json)} />
      </div>
    </section>
  );
}
