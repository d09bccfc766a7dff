import type { ComponentChildren, JSX } from "preact";

/** What a colour says; words beside it say the same. */
export type Tone = "good" | "warn" | "bad" | "muted";

const TEXT = { good: "text-good", warn: "text-warn", bad: "text-bad", muted: "text-muted" } as const;

/** A state in a word or two. */
export function Badge({ tone, children }: { tone: Tone; children: ComponentChildren }): JSX.Element {
  return <span class={`badge ${TEXT[tone]}`}>{children}</span>;
}
