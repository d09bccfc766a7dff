import type { ComponentChildren, JSX } from "preact";
import { Notice } from "../../components/Notice.tsx";
import { Until } from "../../components/Until.tsx";
import type { SettingsView } from "../../server/workspace/settings.ts";
import { WorkspaceField } from "../../components/WorkspaceField.tsx";

/** What is still accepted of what was replaced, each with a way to end that now. */
export function Overlaps({ name, until }: { name: string; until: SettingsView["retiringUntil"] }): JSX.Element {
  return (
    <>
      {until.secrets !== null && (
        <Ending title="The old secrets are still accepted" intent="end-secrets" button="Accept only the new ones now">
          Deliveries signed with the old ones or the new are taken, until <Until date={until.secrets} />{" "}
          or until you replace a secret again.
        </Ending>
      )}
      {until.url !== null && (
        <Ending title="The old webhook URL is still known" intent="end-url" button="Take only the new one now">
          What {name} sends to it is taken, until <Until date={until.url} /> or until you make another one.
        </Ending>
      )}
    </>
  );
}

function Ending({ title, intent, button, children }: {
  title: string;
  intent: string;
  button: string;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <Notice tone="warn" title={title}>
      <p class="mb-2">{children}</p>
      <form method="post">
        <WorkspaceField />
        <button type="submit" name="intent" value={intent} class="button">{button}</button>
      </form>
    </Notice>
  );
}
