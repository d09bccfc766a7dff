import type { JSX } from "preact";

/** Chooses whose deliveries are listed: a plain form that leads to the list's address. */
export function DeliveryFilter({ sources, chosen }: {
  sources: readonly { readonly id: string; readonly name: string }[];
  /** `""`: all. */
  chosen: string;
}): JSX.Element {
  const known = chosen === "" || sources.some(({ id }) => id === chosen);
  return (
    <form method="get" class="flex items-end gap-2">
      <label class="muted">
        Source
        <select name="connector" class="field mt-0.5 max-w-60">
          <option value="" selected={chosen === ""}>All</option>
          {sources.map(({ id, name }) => <option key={id} value={id} selected={id === chosen}>{name}</option>)}
          {!known && <option value={chosen} selected>{chosen}</option>}
        </select>
      </label>
      <button type="submit" class="button">Show</button>
    </form>
  );
}
