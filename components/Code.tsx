import type { JSX } from "preact";

/** A program or a command, to be selected and copied; what is wide scrolls by itself, with the keyboard too. */
export function Code({ label, text }: { label: string; text: string }): JSX.Element {
  return (
    <pre
      class="scroll rounded bg-sunken p-3"
      role="region"
      aria-label={label}
      tabIndex={0}
      dir="ltr"
    ><code>{text}</code></pre>
  );
}
