/**
 * Draws the pictures in docs/images from a service at work: `deno task screenshots`.
 *
 * @module
 */
import type { Page } from "playwright-core";
import { fixtureNames, readFixture } from "../connectors/kit/fixtures.ts";
import { catalogue } from "../connectors/catalogue.ts";
import { launchChromium } from "../tests/support/chromium.ts";
import { InletProcess } from "../tests/support/inlet.ts";

const FOLDER = new URL("../docs/images/", import.meta.url);
const SECRET = "a secret for pictures only";
const SIZE = { width: 1280, height: 800 };

/** Sends every example of every connector, and one delivery that is refused. */
async function work(inlet: InletProcess, workspaceId: string): Promise<void> {
  for (const connector of catalogue) {
    const { id } = connector.manifest;
    const secrets = Object.fromEntries(Object.keys(connector.secretsSchema.shape).map((name) => [name, SECRET]));
    const url = await inlet.enable(workspaceId, id, secrets);
    for (const name of await fixtureNames(id)) {
      const delivery = await readFixture(id, name, crypto.randomUUID());
      const headers = connector.sign(delivery, secrets);
      await fetch(url, { method: "POST", headers, body: delivery.body });
    }
    const forged = await readFixture(id, (await fixtureNames(id))[0] ?? "", crypto.randomUUID());
    const others = Object.fromEntries(Object.keys(secrets).map((name) => [name, "another secret than the right one"]));
    await fetch(url, { method: "POST", headers: connector.sign(forged, others), body: forged.body });
  }
}

async function shoot(page: Page, name: string): Promise<void> {
  await Deno.writeFile(new URL(`${name}.png`, FOLDER), await page.screenshot());
}

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
  await page.goto(`${inlet.url}/dashboard/connectors/${catalogue[0]?.manifest.id}`);
  await shoot(page, "connector");
  await page.goto(`${inlet.url}/dashboard/stream`);
  await page.waitForSelector("[data-connection=live]");
  await work(inlet, workspaceId);
  await page.getByRole("option").nth(3).click();
  await shoot(page, "stream");
} finally {
  await browser.close();
}
