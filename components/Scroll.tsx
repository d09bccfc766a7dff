import type { ComponentChildren, JSX } from "preact";

/** Lets what is wide scroll by itself, with the keyboard too, so that the page does not. */
export function Scroll({ label, children }: { label: string; children: ComponentChildren }): JSX.Element {
  return <div class="scroll" role="region" aria-label={label} tabIndex={0}>{children}</div>;
}
