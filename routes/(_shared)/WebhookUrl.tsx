import type { JSX } from "preact";
import { CopyField } from "./CopyField.tsx";

/** A source's webhook URL, with what to do where no other machine reaches it. */
export function WebhookUrl({ url, name, isLocal }: { url: string; name: string; isLocal: boolean }): JSX.Element {
  return (
    <div>
      <CopyField id="webhook-url" label="Webhook URL" text={url} />
      {isLocal && (
        <p class="muted mt-1">
          Only this machine reaches it. For {name} elsewhere, start the service with{" "}
          <code>PUBLIC_URL</code>, the address at which it is reached from there.
        </p>
      )}
    </div>
  );
}
