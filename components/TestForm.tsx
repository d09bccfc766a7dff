import type { JSX } from "preact";
import { WorkspaceField } from "./WorkspaceField.tsx";

/** Sends an example delivery; `intent` in the form tells it from others that are posted to the same page. */
export function TestForm({ examples }: { examples: readonly string[] }): JSX.Element {
  return (
    <form method="post" class="flex flex-wrap items-end gap-2">
      <WorkspaceField />
      <div>
        <label for="example" class="block text-sm font-medium">Example</label>
        <select id="example" name="example" class="field">
          {examples.map((name) => <option key={name} value={name}>{name.replaceAll("_", " ")}</option>)}
        </select>
      </div>
      <button type="submit" name="intent" value="test" class="button">Send a test event</button>
    </form>
  );
}
