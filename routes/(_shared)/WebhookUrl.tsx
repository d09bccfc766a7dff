import type { JSX } from "preact";
import { CopyField } from "./CopyField.tsx";

/** Names and addresses by which a machine reaches itself only. */
const THIS_MACHINE = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/;

/** A source's webhook URL, with what to do where no other machine reaches it. */
export function WebhookUrl({ url, name }: { url: string; name: string }): JSX.Element {
  return (
    <div>
      <CopyField id="webhook-url" label="Webhook URL" text={url} />
      {THIS_MACHINE.test(new URL(url).hostname) && (
        <p class="muted mt-1">
          Only this machine reaches it. For {name} elsewhere, start the service with{" "}
          <code>PUBLIC_URL</code>, the address at which it is reached from there.
        </p>
      )}
    </div>
  );
}
