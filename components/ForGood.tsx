import type { JSX } from "preact";

/** A button of a form for what cannot be undone: one has to open it first. */
export function ForGood({ action, of, name, value }: {
  action: string;
  /** What it is done to, for those who do not see what stands beside it. */
  of: string;
  name?: string;
  value?: string;
}): JSX.Element {
  return (
    <details>
      <summary class="py-1.5">
        {action} <span class="sr-only">{of}</span>
      </summary>
      <button type="submit" name={name} value={value} class="button button-danger">For good</button>
    </details>
  );
}
