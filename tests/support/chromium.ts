/** A real browser for tests. */

import { type Browser, chromium } from "playwright-core";
import { installPackage } from "./apt.ts";

const PATH = "/usr/bin/chromium";

/** A wait that is longer hangs: Playwright's own half minute is what a busy machine may need. */
const PATIENCE_MS = 300_000;

// Root may not use the sandbox; the others keep it from asking the network for what no test needs.
const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Starts Chromium, installing it first if need be and if we may. Each start has a profile of its own; close it when you
 * are done.
 *
 * @throws {Error} If there is none and we cannot install it; the message says what to do.
 */
export async function launchChromium(): Promise<Browser> {
  if (!await exists(PATH)) await install();
  const browser = await chromium.launch({ executablePath: PATH, args: ARGS, headless: true, timeout: PATIENCE_MS });
  return browser.on("context", (context) => context.setDefaultTimeout(PATIENCE_MS));
}

async function install(): Promise<void> {
  if (Deno.uid() !== 0 || !await exists("/usr/bin/apt-get")) {
    throw new Error(
      `Cannot run tests that need a browser: there is no ${PATH}. Install it (Debian and Ubuntu: ` +
        "apt-get install --no-install-recommends chromium, or run the tests as root and they do it).",
    );
  }
  await installPackage("chromium");
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
