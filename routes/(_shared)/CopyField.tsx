import type { JSX } from "preact";
import CopyButton from "../../islands/CopyButton.tsx";

/** A text to be copied, with a button for it; without scripts it is selected and copied by hand. */
export function CopyField({ id, label, text }: { id: string; label: string; text: string }): JSX.Element {
  return (
    <div>
      <label for={id} class="font-medium">{label}</label>
      <div class="mt-1 flex items-stretch gap-2">
        <input id={id} class="field font-mono" value={text} readOnly spellcheck={false} />
        <CopyButton from={id} what={label} />
      </div>
    </div>
  );
}
