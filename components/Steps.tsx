import type { JSX } from "preact";

const STEPS = ["Workspace", "Source", "Connect", "First event"] as const;

/** How far the first run has come; `at` counts from 1. */
export function Steps({ at }: { at: number }): JSX.Element {
  return (
    <ol class="steps" aria-label="Steps of the set-up">
      {STEPS.map((name, index) => (
        <li
          key={name}
          aria-current={index + 1 === at ? "step" : undefined}
          data-done={index + 1 < at ? "true" : undefined}
        >
          <span class="step-number" aria-hidden="true">{index + 1 < at ? "✓" : index + 1}</span>
          {name}
          {index + 1 < at && <span class="sr-only">, done</span>}
        </li>
      ))}
    </ol>
  );
}
