import type { JSX } from "preact";

/** Which deliveries are listed; `""`: whatever. */
export interface ChosenDeliveries {
  readonly connector: string;
  readonly outcome: "refused" | "";
  /** Of a delivery, or of an event. */
  readonly id: string;
}

/** Chooses which deliveries are listed: a plain form that leads to the list's address. */
export function DeliveryFilter({ sources, chosen: { connector, outcome, id } }: {
  sources: readonly { readonly id: string; readonly name: string }[];
  chosen: ChosenDeliveries;
}): JSX.Element {
  const known = connector === "" || sources.some((source) => source.id === connector);
  return (
    <form method="get" role="search" class="flex w-full flex-wrap items-end gap-2 sm:w-auto">
      <label class="muted min-w-40 flex-1">
        Id of a delivery or event
        <input type="search" name="id" class="field mt-0.5 sm:w-72" value={id} maxLength={500} />
      </label>
      <label class="muted">
        Source
        <select name="connector" class="field mt-0.5 max-w-60">
          <option value="" selected={connector === ""}>All</option>
          {sources.map(({ id, name }) => <option key={id} value={id} selected={id === connector}>{name}</option>)}
          {!known && <option value={connector} selected>{connector}</option>}
        </select>
      </label>
      <label class="muted">
        Outcome
        <select name="outcome" class="field mt-0.5">
          <option value="" selected={outcome === ""}>All</option>
          <option value="refused" selected={outcome === "refused"}>Refused</option>
        </select>
      </label>
      <button type="submit" class="button">Show</button>
    </form>
  );
}
