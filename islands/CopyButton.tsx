import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

/** How long the button says that it copied. */
const SAID_MS = 2000;

/** Copies what the control with the id `from` holds at that moment. Unseen where scripts do not run. */
export default function CopyButton({ from, what }: { from: string; what: string }): JSX.Element {
  const [ready, setReady] = useState(false);
  const [said, setSaid] = useState("");
  useEffect(() => setReady(true), []);
  useEffect(() => {
    if (said === "") return;
    const timer = setTimeout(() => setSaid(""), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async () => setSaid(await copyFrom(from) ? "Copied" : "Press Ctrl+C");
  return (
    <span class={ready ? "flex" : "invisible flex"}>
      <button type="button" class="button min-w-24 justify-center" onClick={copy}>
        {said === "" ? "Copy" : said}
        {said === "" && <span class="sr-only">{what}</span>}
      </button>
      <span role="status" class="sr-only">{said === "" ? "" : `${said}: ${what}`}</span>
    </span>
  );
}

/** Browsers give the clipboard only to pages of HTTPS and localhost; elsewhere the text is at least selected. */
async function copyFrom(id: string): Promise<boolean> {
  const control = document.getElementById(id);
  if (!(control instanceof HTMLInputElement)) return false;
  try {
    await navigator.clipboard.writeText(control.value);
    return true;
  } catch {
    control.focus();
    control.select();
    return false;
  }
}
