import type { JSX } from "preact";

/** Chooses which event types are listed: a plain form that leads to the list's address. */
export function EventTypeFilter({ sources, source, search }: {
  sources: readonly { readonly id: string; readonly name: string }[];
  /** `""`: all. */
  source: string;
  search: string;
}): JSX.Element {
  return (
    <form method="get" role="search" class="flex w-full flex-wrap items-end gap-2 sm:w-auto">
      <label class="muted min-w-40 flex-1">
        Words, or a binding such as *.pr.*
        <input type="search" name="q" class="field mt-0.5 sm:w-72" value={search} maxLength={100} />
      </label>
      <label class="muted">
        Source
        <select name="source" class="field mt-0.5 max-w-60">
          <option value="" selected={source === ""}>All</option>
          {sources.map(({ id, name }) => <option key={id} value={id} selected={id === source}>{name}</option>)}
        </select>
      </label>
      <button type="submit" class="button">Show</button>
    </form>
  );
}
