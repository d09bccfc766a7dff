import type { JSX } from "preact";
import { DeliveryEvents } from "./DeliveryEvents.tsx";
import { countEvents } from "./words.ts";
import { JsonView } from "./JsonView.tsx";
import { WorkspaceField } from "./WorkspaceField.tsx";

/** How far a replay is. */
export type DeliveryReplayState =
  /** It cannot be: `link` leads to where that is mended, if it can be. */
  | {
    readonly at: "impossible";
    readonly reason: string;
    readonly link?: { readonly href: string; readonly text: string };
  }
  | { readonly at: "offered" }
  | { readonly at: "previewed"; readonly events: readonly { readonly id: string; readonly type: string }[] }
  | { readonly at: "refused"; readonly heading: string; readonly reason: string; readonly faults: readonly string[] };

/** This many of a preview's events are shown whole. */
const SHOWN_WHOLE = 5;

function Preview({ events }: { events: readonly { readonly id: string; readonly type: string }[] }) {
  if (events.length === 0) {
    return <p>With today's code and settings it becomes no event: there is nothing to publish.</p>;
  }
  return (
    <>
      <p>
        {`With today's code and settings it becomes ${countEvents(events.length)}. Events keep their ids, so that ` +
          "consumers which drop repeats take only what is new to them."}
      </p>
      <form method="post">
        <WorkspaceField />
        <button type="submit" class="button button-primary">{`Publish ${countEvents(events.length)}`}</button>
      </form>
      <DeliveryEvents events={events} caption="Events that would be published" />
      {events.slice(0, SHOWN_WHOLE).map((event) => (
        <details key={event.id}>
          <summary class="cursor-pointer py-1 text-sm wrap-anywhere">
            <code>{event.type}</code> as JSON
          </summary>
          <div class="rounded bg-sunken p-3">
            <JsonView value={event} />
          </div>
        </details>
      ))}
    </>
  );
}

function Refused({ heading, reason, faults }: { heading: string; reason: string; faults: readonly string[] }) {
  return (
    <div role="alert" class="border-l-4 border-bad pl-3 wrap-anywhere">
      <strong class="block text-bad">{heading}</strong>
      <p>
        <bdi>{reason}</bdi>
      </p>
      {faults.length > 0 && (
        <ul class="mt-1 list-disc pl-5 text-sm">
          {faults.map((fault) => (
            <li key={fault}>
              <bdi>{fault}</bdi>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Takes a kept delivery through the service once more: first what would come of it, then for good. */
export function DeliveryReplay({ state, path }: { state: DeliveryReplayState; path: string }): JSX.Element {
  return (
    <section aria-labelledby="replay" class="card flex flex-col gap-3">
      <h2 id="replay">Replay</h2>
      {state.at === "impossible" && (
        <p>
          {state.reason} {state.link && <a href={state.link.href}>{state.link.text}</a>}
        </p>
      )}
      {state.at === "refused" && <Refused {...state} />}
      {state.at === "previewed" && <Preview events={state.events} />}
      {(state.at === "offered" || state.at === "refused") && (
        <>
          {state.at === "offered" && (
            <p class="muted">
              Makes events of the kept body once more, with today's code and settings. You see them before anything is
              published.
            </p>
          )}
          <p>
            <a class="button" href={`${path}?preview=1#replay`}>Show what it would publish</a>
          </p>
        </>
      )}
    </section>
  );
}
