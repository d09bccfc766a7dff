import type { JSX } from "preact";
import { KEEP_OLD_CHOICES, KEEP_OLD_ENTRY } from "./keep_old.ts";

/** What {@link KeepOld} shows. */
export interface KeepOldProps {
  readonly label: string;
  readonly hint: string;
  /** The value of the choice that is made; default: the first. */
  readonly chosen?: string | undefined;
  readonly fault?: string | undefined;
}

/** Chooses for how long what is replaced is still accepted. */
export function KeepOld({ label, hint, chosen, fault }: KeepOldProps): JSX.Element {
  const [hintId, faultId] = [`${KEEP_OLD_ENTRY}-hint`, `${KEEP_OLD_ENTRY}-fault`];
  return (
    <div class="form-row">
      <label for={KEEP_OLD_ENTRY} class="font-medium">{label}</label>
      <p id={hintId} class="muted">{hint}</p>
      <select
        id={KEEP_OLD_ENTRY}
        name={KEEP_OLD_ENTRY}
        class="field max-w-48"
        aria-invalid={fault === undefined ? undefined : "true"}
        aria-describedby={fault === undefined ? hintId : `${hintId} ${faultId}`}
      >
        {KEEP_OLD_CHOICES.map(({ value, text }) => (
          <option key={value} value={value} selected={value === chosen}>{text}</option>
        ))}
      </select>
      {fault !== undefined && <p id={faultId} class="fault">{fault}</p>}
    </div>
  );
}
