import type { JSX } from "preact";
import type { Tone } from "./Badge.tsx";

/** A state or number, and what it means. */
export interface Fact {
  readonly name: string;
  readonly value: string;
  readonly tone: Tone;
  readonly detail: string;
}

const DOT = { good: "dot text-good", warn: "dot text-warn", bad: "dot text-bad", muted: "hidden" } as const;

/** Facts side by side. */
export function Facts({ facts }: { facts: readonly Fact[] }): JSX.Element {
  return (
    <dl class="card facts">
      {facts.map(({ name, value, tone, detail }) => (
        <div key={name} class="fact">
          <dt class="muted">{name}</dt>
          <dd class="flex items-center gap-2 text-lg font-semibold tabular-nums">
            <span class={DOT[tone]} aria-hidden="true" />
            {value}
          </dd>
          <dd class="muted break-words" dir="auto">{detail}</dd>
        </div>
      ))}
    </dl>
  );
}
