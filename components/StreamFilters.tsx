import type { JSX } from "preact";
import { MOST_FILTER_LENGTH, type StreamFilter } from "./stream/filter.ts";

/** A source that events can be filtered by. */
export interface StreamSource {
  readonly id: string;
  readonly name: string;
}

/** The id of the page's `<datalist>` of event types. */
export const TYPE_LIST_ID = "event-types";

/** The fields that a live stream is filtered by. */
export function StreamFilters({ filter, sources, onChange }: {
  filter: StreamFilter;
  sources: readonly StreamSource[];
  onChange: (filter: StreamFilter) => void;
}): JSX.Element {
  const known = filter.source === "" || sources.some(({ id }) => id === filter.source);
  const field = (name: "type" | "text") => ({
    name,
    value: filter[name],
    maxLength: MOST_FILTER_LENGTH,
    autocomplete: "off",
    spellcheck: false,
    class: "field mt-0.5",
    onInput: (event: JSX.TargetedInputEvent<HTMLInputElement>) =>
      onChange({ ...filter, [name]: event.currentTarget.value }),
  });
  return (
    <div
      role="search"
      aria-label="Filter the events"
      class="grid grid-cols-2 gap-x-3 gap-y-2 sm:grid-cols-[2fr_1fr_2fr]"
    >
      <label class="muted max-sm:col-span-2">
        Type
        <input
          {...field("type")}
          type="text"
          list={TYPE_LIST_ID}
          placeholder="beginning, or with * and #"
          title="The beginning of a type, or a pattern as on a topic exchange: * stands for one word, # for any number"
        />
      </label>
      <label class="muted">
        Source
        <select
          class="field mt-0.5"
          name="source"
          value={filter.source}
          onChange={(event) => onChange({ ...filter, source: event.currentTarget.value })}
        >
          <option value="">All</option>
          {sources.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
          {!known && <option value={filter.source}>{filter.source}</option>}
        </select>
      </label>
      <label class="muted">
        Text
        <input
          {...field("text")}
          type="search"
          placeholder="in the event"
          title="Anywhere in the event, as it is shown"
        />
      </label>
    </div>
  );
}
