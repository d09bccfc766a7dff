/** The dashboard as a person meets it: the first run, the connectors and the overview, in Chromium. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { catalogue } from "../connectors/catalogue.ts";
import { assertAccessible, DashboardBrowser, screenshot, weigh } from "./support/dashboard.ts";
import { sign } from "./support/sign.ts";

const STAR = JSON.stringify({
  action: "created",
  starred_at: "2026-01-02T03:04:05Z",
  repository: { id: 1, full_name: "acme/rover", private: false, html_url: "https://github.com/acme/rover" },
  sender: { id: 7, login: "mira", type: "User", html_url: "https://github.com/mira" },
});
const ADMIN_TOKEN = "the-token-of-an-administrator";
const SCRIPT_BUDGET = 20 * 1024;
const STYLE_BUDGET = 15 * 1024;

async function sendStar(webhookUrl: string, secret: string): Promise<number> {
  const headers = {
    "content-type": "application/json",
    "x-github-event": "star",
    "x-github-delivery": crypto.randomUUID(),
    "x-hub-signature-256": `sha256=${sign(secret, STAR)}`,
  };
  const response = await fetch(webhookUrl, { method: "POST", headers, body: STAR });
  await response.body?.cancel();
  return response.status;
}

/** Goes on with the Tab key until the control with this name has the focus, and says how often that took. */
async function tabTo(page: Page, name: string): Promise<void> {
  const focused = `(() => {
    const at = document.activeElement;
    return (at?.labels?.[0]?.innerText ?? at?.innerText ?? "").replaceAll(/\\s+/g, " ").trim();
  })()`;
  for (let presses = 0; presses < 60; presses++) {
    if (String(await page.evaluate(focused)).startsWith(name)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`the Tab key does not reach ${name}`);
}

Deno.test("a newcomer goes from an empty store to the first event, and copies what the source needs", async (t) => {
  await using dashboard = await DashboardBrowser.start();
  const page = await dashboard.open("/dashboard");
  const began = performance.now();
  let checking = 0;
  const check = async (name: string) => {
    const paused = performance.now();
    await assertAccessible(page);
    await screenshot(page, name);
    checking += performance.now() - paused;
  };
  let clicks = 0;
  const click = async (name: string, nth = 0) => {
    clicks++;
    await page.getByRole("button", { name }).nth(nth).click();
  };
  const clipboard = async () => String(await page.evaluate("navigator.clipboard.readText()"));

  await t.step("every page leads to the wizard, which asks for a name", async () => {
    assert.equal(new URL(page.url()).pathname, "/dashboard/setup");
    await check("setup-name");
    await page.getByLabel("Name of the workspace").fill("Acme");
    await click("Create the workspace");
  });

  await t.step("a source is picked", async () => {
    await page.getByRole("heading", { name: "Pick a source" }).waitFor();
    await check("setup-source");
    await click("Set up GitHub");
  });

  let webhookUrl = "";
  let secret = "";
  await t.step("URL and secret are copied before they are saved", async () => {
    await page.getByRole("heading", { name: "Connect GitHub", exact: true }).waitFor();
    await check("setup-connect");
    await click("Copy", 0);
    await page.getByRole("button", { name: "Copied" }).waitFor();
    webhookUrl = await clipboard();
    await click("Copy the secret");
    await page.getByText("Copied: the secret").waitFor({ state: "attached" });
    secret = await clipboard();
    assert.match(webhookUrl, /^http.*\/webhooks\/github\/[\w-]+$/);
    assert.match(secret, /^[0-9a-f]{64}$/);
    await click("Save and wait for the first event");
  });

  await t.step("a refused delivery is told while the page waits", async () => {
    await page.locator(".first-event[data-live=true]").waitFor();
    await check("setup-wait");
    assert.doesNotMatch(await page.content(), new RegExp(secret), "what was saved is shown nowhere");
    assert.equal(await sendStar(webhookUrl, "a secret that differs"), 401);
    await page.getByText("A delivery came and was refused").waitFor();
  });

  await t.step("the first event turns the page green while it waits", async () => {
    assert.equal(await sendStar(webhookUrl, secret), 200);
    await page.getByText("The first event from GitHub is here").waitFor();
    await check("setup-came");
    await page.reload();
    await page.getByText("The first event from GitHub is here").waitFor();
  });

  const seconds = (performance.now() - began - checking) / 1000;
  // deno-lint-ignore no-console -- a number that the test is to show
  console.log(
    `set-up of a source by a newcomer: ${clicks} clicks, ${seconds.toFixed(1)} s of the service and the browser`,
  );
  dashboard.assertNoComplaints();
});

Deno.test("a source is set up with the keyboard alone", async () => {
  await using dashboard = await DashboardBrowser.start();
  const page = await dashboard.open("/dashboard");
  await tabTo(page, "Name of the workspace");
  await page.keyboard.type("Acme");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Pick a source" }).waitFor();
  await tabTo(page, "Set up GitHub");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Connect GitHub", exact: true }).waitFor();
  await tabTo(page, "Ignore bots");
  await page.keyboard.press("Space");
  await tabTo(page, "Save and wait");
  await page.keyboard.press("Enter");
  await page.getByText("Waiting for the first event").waitFor();
  await tabTo(page, "Send a test event");
  await page.keyboard.press("Enter");
  await page.getByText("The first event from GitHub is here").waitFor();
  dashboard.assertNoComplaints();
});

Deno.test("a source is set up and tested with JavaScript off, over plain HTTP, where browsers tell less of forms", async () => {
  await using dashboard = await DashboardBrowser.start({ env: { ADMIN_TOKEN } });
  // This machine, and no name of it that browsers trust as they trust HTTPS.
  const site = dashboard.inlet.url.replace("localhost", "0.0.0.0");
  const page = await dashboard.open(`${site}/dashboard`, { scripts: false, width: 360 });
  await page.getByLabel("Admin token").fill(ADMIN_TOKEN);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByLabel("Name of the workspace").fill("  ");
  await page.getByRole("button", { name: "Create the workspace" }).click();
  await page.getByText("It must be a text of 1 to 200 characters").waitFor();
  await page.getByLabel("Name of the workspace").fill("Acme");
  await page.getByRole("button", { name: "Create the workspace" }).click();
  await page.getByRole("button", { name: "Set up GitHub" }).click();
  assert.equal(await page.getByRole("button", { name: "Copy" }).count(), 0, "no button that does nothing");
  await page.getByLabel("Webhook secret").fill("short");
  await page.getByRole("button", { name: "Save and wait" }).click();
  await page.getByText("Nothing was saved").waitFor();
  assert.equal(await page.getByLabel("Webhook secret").inputValue(), "");
  await page.getByRole("link", { name: "Make up a new one" }).click();
  await page.getByRole("button", { name: "Save and wait" }).click();
  await page.getByText("Waiting for the first event").waitFor();
  await page.getByRole("button", { name: "Send a test event" }).click();
  await page.getByText("The first event from GitHub is here").waitFor();
  await page.goto(`${site}/dashboard/connectors/github/url`);
  await page.getByRole("button", { name: "Make a new URL" }).click();
  await page.getByText("The webhook URL is a new one").waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in to Inlet" }).waitFor();
});

Deno.test("the overview and the connectors are accessible and light, empty and at work", async (t) => {
  await using dashboard = await DashboardBrowser.start();
  const workspaceId = await dashboard.inlet.setUp();
  const look = async (name: string, path: string) => {
    const page = await dashboard.open(path);
    await assertAccessible(page);
    await screenshot(page, name);
    await page.context().close();
  };

  await t.step("with no connector on", async () => {
    await look("overview-empty", "/dashboard");
    await look("connectors-empty", "/dashboard/connectors");
    await look("connector-new", "/dashboard/connectors/github");
    await look("missing", "/dashboard/nowhere");
  });

  await t.step("every source's form and set-up steps, all opened", async () => {
    for (const { manifest: { id } } of catalogue) {
      const page = await dashboard.open(`/dashboard/connectors/${id}`);
      await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
      await assertAccessible(page, { themes: ["dark"], widths: [360] });
      await screenshot(page, `connector-${id}`);
      await page.context().close();
    }
  });

  await t.step("with events and a refused delivery", async () => {
    const secret = "a secret shared with GitHub";
    const webhookUrl = await dashboard.inlet.enable(workspaceId, "github", { webhookSecret: secret });
    for (let count = 0; count < 12; count++) assert.equal(await sendStar(webhookUrl, secret), 200);
    assert.equal(await sendStar(webhookUrl, "a secret that differs"), 401);
    await look("overview", "/dashboard");
    await look("connectors", "/dashboard/connectors");
    await look("connector", "/dashboard/connectors/github");
    await look("connector-url", "/dashboard/connectors/github/url");
  });

  await t.step("with tables that are whole where there is little room", async () => {
    const name = "dashboards of the platform team, and of whoever else wants them";
    await dashboard.inlet.post(`/workspaces/${workspaceId}/keys`, { name, scope: "manage" });
    const page = await dashboard.open("/dashboard", { scripts: false, width: 360 });
    for (const [path, cells] of [["connectors/github", 30], ["audit", 8], ["workspaces", 3]] as const) {
      await page.goto(`/dashboard/${path}`);
      const shown = page.locator("main td:visible");
      assert.ok(await shown.count() >= cells, `${path} has ${await shown.count()} cells`);
      const ends = await shown.evaluateAll((all) => all.map((cell) => cell.getBoundingClientRect().right));
      const card = await page.locator("main .card").last().evaluate((card) => card.getBoundingClientRect().right);
      assert.ok(Math.max(...ends) <= card, `${path}: a cell ends at ${Math.max(...ends)}, the card at ${card}`);
    }
    await page.context().close();
  });

  await t.step("with a name as long as it may be, of one word", async () => {
    const longest = "x".repeat(200);
    await dashboard.inlet.post("/workspaces", { workspaceName: longest });
    const page = await dashboard.open("/dashboard/workspaces", { width: 360 });
    const show = page.getByRole("button", { name: `Show ${longest}` });
    const { x = 360, width = 0 } = await show.boundingBox() ?? {};
    assert.ok(x + width < 360, `the button ends at ${x + width}`);
    await show.click();
    await page.waitForURL("**/dashboard");
    for (const path of ["", "/workspaces", "/workspaces/remove", "/audit"]) {
      await page.goto(`/dashboard${path}`);
      await assertAccessible(page, { themes: ["light"] });
    }
    await page.context().close();
  });

  await t.step("with more workspaces than fit, what is below them stays near", async () => {
    for (let count = 0; count < 40; count++) await dashboard.inlet.post("/workspaces", { workspaceName: `${count}` });
    const page = await dashboard.open("/dashboard/workspaces");
    await assertAccessible(page, { themes: ["light"] });
    await page.setViewportSize({ width: 1440, height: 900 });
    const { y = Infinity } = await page.getByRole("heading", { name: "API keys" }).boundingBox() ?? {};
    assert.ok(y < 900, `the API keys begin at ${y}`);
    await page.getByRole("button", { name: "Show 39" }).click();
    await page.getByRole("navigation").getByText("39").waitFor();
    await page.context().close();
  });

  await t.step("a form that does not fit", async () => {
    const page = await dashboard.open("/dashboard/connectors/github?new-secret");
    await page.getByLabel("Webhook secret", { exact: true }).fill("short");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Nothing was saved").waitFor();
    await assertAccessible(page);
    await screenshot(page, "connector-fault");
    await page.context().close();
  });

  await t.step("within the budgets", async () => {
    const paths = [
      "/dashboard",
      "/dashboard/connectors",
      "/dashboard/connectors/github",
      "/dashboard/setup/source",
      "/dashboard/setup/source/github",
      "/dashboard/setup/source/github/wait",
    ];
    for (const path of paths) {
      const { script, style } = await weigh(dashboard, path);
      // deno-lint-ignore no-console -- a number that the test is to show
      console.log(`${path}: ${script} bytes of JavaScript, ${style} bytes of CSS (gzip)`);
      assert.ok(script <= SCRIPT_BUDGET, path);
      assert.ok(style > 0 && style <= STYLE_BUDGET, path);
    }
  });
  dashboard.assertNoComplaints();
});
