/**
 * Draws the pictures in docs/images from a service at work: `deno task screenshots`.
 *
 * @module
 */
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import { exampleSettings, fixtureNames, readFixture } from "../connectors/kit/fixtures.ts";
import type { Receiver } from "../connectors/kit/mod.ts";
import { catalogue } from "../connectors/catalogue.ts";
import { launchChromium } from "../tests/support/chromium.ts";
import { InletProcess } from "../tests/support/inlet.ts";
import { runCommand } from "./cli/command.ts";
import { Progress } from "./cli/progress.ts";

const FOLDER = new URL("../docs/images/", import.meta.url);

const HELP = `Draws the pictures of the dashboard in docs/images, from a service at work, with Chromium.

  deno task screenshots`;

/** The source whose page is drawn. */
const SHOWN = "github";
/** The event type whose page is drawn. */
const SHOWN_EVENT = "github.commit.pushed";
const progress = new Progress();
const MOST_EXAMPLES = 6;
const SIZE = { width: 1280, height: 800 };

/** Sends some examples of every source that sends, and one delivery that is refused. */
async function work(inlet: InletProcess, workspaceId: string): Promise<void> {
  for (const connector of catalogue) {
    if (connector.type !== "webhook") continue;
    const { id } = connector.manifest;
    const names = (await fixtureNames(id)).slice(0, MOST_EXAMPLES);
    for (const name of names) {
      const { config, secrets } = await exampleSettings(connector, name);
      await send(await inlet.enable(workspaceId, id, secrets, config), id, name, connector.open({ config, secrets }));
    }
  }
  const [first] = await fixtureNames(SHOWN);
  const connector = catalogue.find(({ manifest }) => manifest.id === SHOWN);
  if (first === undefined || connector?.type !== "webhook") return;
  const { config, secrets, otherSecrets } = await exampleSettings(connector, first);
  const url = await inlet.enable(workspaceId, SHOWN, secrets, config);
  await send(url, SHOWN, first, connector.open({ config, secrets: otherSecrets }));
}

async function send(url: string, connectorId: string, name: string, receiver: Receiver): Promise<void> {
  const delivery = await readFixture(connectorId, name, crypto.randomUUID());
  await fetch(url, { method: "POST", headers: receiver.sign(delivery), body: delivery.body });
}

async function shoot(page: Page, name: string): Promise<void> {
  progress.show(`drawing ${name}`);
  await Deno.writeFile(new URL(`${name}.png`, FOLDER), await page.screenshot());
}

async function draw(): Promise<void> {
  await using inlet = await InletProcess.start();
  const workspaceId = await inlet.setUp();
  await work(inlet, workspaceId);
  const browser = await launchChromium();
  try {
    const context = await browser.newContext({ viewport: SIZE, colorScheme: "light" });
    const page = await context.newPage();
    for (
      const [name, path] of [["overview", ""], ["connectors", "/connectors"], ["deliveries", "/deliveries"]] as const
    ) {
      await page.goto(`${inlet.url}/dashboard${path}`);
      await shoot(page, name);
    }
    await page.goto(`${inlet.url}/dashboard/connectors/${SHOWN}`);
    await shoot(page, "connector");
    await page.goto(`${inlet.url}/dashboard/events/${SHOWN_EVENT}`);
    await page.waitForSelector("[data-live=true]");
    await shoot(page, "event");
    await page.goto(`${inlet.url}/dashboard/stream`);
    await page.waitForSelector("[data-connection=live]");
    await work(inlet, workspaceId);
    await page.getByRole("listbox").getByRole("option").nth(3).click();
    await shoot(page, "stream");
  } finally {
    progress.clear();
    await browser.close();
  }
}

await runCommand({ task: "screenshots", help: HELP }, async (args) => {
  parseArgs({ args, options: {} });
  await draw();
});
