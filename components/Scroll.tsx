import type { ComponentChildren, JSX } from "preact";

/** Lets what is wide scroll by itself, with the keyboard too, so that the page does not; where `isLow`, what is high, too. */
export function Scroll({ label, isLow = false, children }: {
  label: string;
  isLow?: boolean;
  children: ComponentChildren;
}): JSX.Element {
  const room = isLow ? "scroll max-h-96 overflow-y-auto" : "scroll";
  return <div class={room} role="region" aria-label={label} tabIndex={0}>{children}</div>;
}
