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
import { ForeignConsumer } from "../tests/support/broker.ts";
import { launchChromium } from "../tests/support/chromium.ts";
import { InletProcess } from "../tests/support/inlet.ts";
import { providePrivateNode } from "../tests/support/rabbitmq.ts";
import { runCommand } from "./cli/command.ts";
import { Progress } from "./cli/progress.ts";

const FOLDER = new URL("../docs/images/", import.meta.url);

const HELP =
  `Draws the pictures of the dashboard in docs/images, from a service at work on a RabbitMQ of its own, with Chromium.

  deno task screenshots`;

const EXCHANGE = "inlet.events";
/** The source whose page is drawn. */
const SHOWN = "github";
/** The event type whose page is drawn. */
const SHOWN_EVENT = "github.commit.pushed";
/** The source of the event that is opened on the live stream: the newest that is shown of it. */
const OPENED_SOURCE = "gitlab";
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
      const url = await inlet.enable(workspaceId, id, secrets, config);
      await send(inlet, url, { connectorId: id, name }, connector.open({ config, secrets }));
    }
  }
  const [first] = await fixtureNames(SHOWN);
  const connector = catalogue.find(({ manifest }) => manifest.id === SHOWN);
  if (first === undefined || connector?.type !== "webhook") return;
  const { config, secrets, otherSecrets } = await exampleSettings(connector, first);
  const url = await inlet.enable(workspaceId, SHOWN, secrets, config);
  await send(inlet, url, { connectorId: SHOWN, name: first }, connector.open({ config, secrets: otherSecrets }));
}

/** Sends an example to a webhook URL, past what answers at `PUBLIC_URL`. */
async function send(
  inlet: InletProcess,
  webhookUrl: string,
  { connectorId, name }: { connectorId: string; name: string },
  receiver: Receiver,
): Promise<void> {
  const delivery = await readFixture(connectorId, name, crypto.randomUUID());
  const url = `${inlet.url}${new URL(webhookUrl).pathname}`;
  const response = await fetch(url, { method: "POST", headers: receiver.sign(delivery), body: delivery.body });
  await response.body?.cancel();
}

async function shoot(page: Page, name: string): Promise<void> {
  progress.show(`drawing ${name}`);
  await Deno.writeFile(new URL(`${name}.png`, FOLDER), await page.screenshot());
}

async function drawWith(amqpUrl: string): Promise<void> {
  await using _consumer = await ForeignConsumer.bind(amqpUrl, EXCHANGE);
  const env = { AMQP_URL: amqpUrl, AMQP_EXCHANGE: EXCHANGE, PUBLIC_URL: "https://inlet.example.com" };
  await using inlet = await InletProcess.start({ env });
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
    await page.getByRole("listbox").getByRole("option").filter({ hasText: `${OPENED_SOURCE}.` }).first().click();
    await shoot(page, "stream");
  } finally {
    progress.clear();
    await browser.close();
  }
}

async function draw(): Promise<void> {
  const node = await providePrivateNode();
  try {
    await drawWith(node.url);
  } finally {
    await node.stop();
  }
}

await runCommand({ task: "screenshots", help: HELP }, async (args) => {
  parseArgs({ args, options: {} });
  await draw();
});
