/** Secrets and URLs replaced with an overlap in the dashboard: as forms, and in Chromium with JavaScript off. */
import assert from "node:assert/strict";
import { assertAccessible, DashboardBrowser, screenshot } from "./support/dashboard.ts";
import { InletProcess } from "./support/inlet.ts";
import { sign } from "./support/sign.ts";

const [OLD, NEW] = ["a secret shared with GitHub", "the secret that replaces it"] as const;
const GITHUB = "/dashboard/connectors/github";
const PING = JSON.stringify({ zen: "Keep it logically awesome.", hook_id: 1 });

async function deliver(url: string, secret: string): Promise<number> {
  const headers = {
    "content-type": "application/json",
    "x-github-event": "ping",
    "x-github-delivery": crypto.randomUUID(),
    "x-hub-signature-256": `sha256=${sign(secret, PING)}`,
  };
  const response = await fetch(url, { method: "POST", headers, body: PING });
  await response.body?.cancel();
  return response.status;
}

async function get(inlet: InletProcess, path: string): Promise<string> {
  return await (await fetch(inlet.url + path)).text();
}

async function post(inlet: InletProcess, path: string, form: Record<string, string>) {
  const response = await fetch(inlet.url + path, {
    method: "POST",
    body: new URLSearchParams(form),
    redirect: "manual",
  });
  return { status: response.status, location: response.headers.get("location"), html: await response.text() };
}

Deno.test("forms replace a secret and a URL with an overlap, say until when, and end it", async (t) => {
  await using inlet = await InletProcess.start();
  const workspaceId = await inlet.setUp();
  const replace = (secret: string, more: Record<string, string>) =>
    post(inlet, GITHUB, { enabled: "on", "secrets.webhookSecret": secret, ...more });
  let url = "";

  await t.step("nothing is offered where no secret is set, or the connector is off", async () => {
    assert.doesNotMatch(await get(inlet, GITHUB), /name="keep-old"/);
    await post(inlet, GITHUB, { "secrets.webhookSecret": OLD });
    assert.doesNotMatch(await get(inlet, GITHUB), /name="keep-old"/);
    assert.match(await get(inlet, `${GITHUB}/url`), /GitHub is off/);
    url = await inlet.enable(workspaceId, "github", {});
    for (const path of [GITHUB, `${GITHUB}/url`]) assert.match(await get(inlet, path), /<select[^>]*name="keep-old"/);
  });

  await t.step("a time that is no choice is refused", async () => {
    assert.equal((await replace(NEW, { "keep-old": "8d" })).status, 422);
    assert.equal((await post(inlet, `${GITHUB}/url`, { "keep-old": "8d" })).status, 422);
    assert.deepEqual([await deliver(url, OLD), await deliver(url, NEW)], [200, 401]);
  });

  await t.step("what is wrong with it stands at the choice, which stays as it was made", async () => {
    const { status, html } = await post(inlet, GITHUB, { "secrets.webhookSecret": NEW, "keep-old": "24h" });
    assert.equal(status, 422);
    assert.match(html, /Look at: Accept the old secrets for\./);
    assert.match(html, /id="keep-old-fault"[^>]*>Must be 0 \(not at all\) while the connector is off</);
    assert.match(html, /<option[^>]* selected[^>]*>1 day</);
    assert.doesNotMatch(html, /\/keepOldSecretsFor/);
  });

  await t.step("the old secret is accepted beside the new until it is ended", async () => {
    assert.equal((await replace(NEW, { "keep-old": "24h" })).status, 303);
    assert.deepEqual([await deliver(url, OLD), await deliver(url, NEW)], [200, 200]);
    const html = await get(inlet, GITHUB);
    assert.match(html, /The old secrets are still accepted.*<time[^>]*>\d{4}-\d\d-\d\d \d\d:\d\d UTC</s);
    assert.equal((await post(inlet, GITHUB, { enabled: "on", "keep-old": "0" })).status, 303);
    assert.equal(await deliver(url, OLD), 200, "saving something else ends nothing");
    assert.equal((await post(inlet, GITHUB, { intent: "end-secrets" })).location, `${GITHUB}?done=ended`);
    assert.deepEqual([await deliver(url, OLD), await deliver(url, NEW)], [401, 200]);
    assert.doesNotMatch(await get(inlet, GITHUB), /The old secrets are still accepted/);
  });

  await t.step("the old URL is known beside the new until it is ended", async () => {
    assert.equal((await post(inlet, `${GITHUB}/url`, { "keep-old": "7d" })).location, `${GITHUB}?done=url`);
    assert.equal(await deliver(url, NEW), 200);
    assert.match(await get(inlet, GITHUB), /The old webhook URL is still known/);
    assert.match(await get(inlet, `${GITHUB}/url`), /The one before it, still known until/);
    assert.equal((await post(inlet, GITHUB, { intent: "end-url" })).location, `${GITHUB}?done=ended`);
    assert.equal(await deliver(url, NEW), 404);
  });

  await t.step("without a choice the old ones are void at once", async () => {
    const { webhookUrl } = await (await fetch(`${inlet.url}/connectors/github/config?workspaceId=${workspaceId}`))
      .json();
    assert.equal((await replace(OLD, {})).status, 303);
    assert.deepEqual([await deliver(webhookUrl, NEW), await deliver(webhookUrl, OLD)], [401, 200]);
    assert.equal((await post(inlet, `${GITHUB}/url`, {})).status, 303);
    assert.equal(await deliver(webhookUrl, OLD), 404);
  });

  await t.step("a form for a new URL that is sent twice makes one, and keeps the old one", async () => {
    const [, replaces = ""] = /name="replaces" value="([^"]*)"/.exec(await get(inlet, `${GITHUB}/url`)) ?? [];
    const form = { replaces, "keep-old": "7d" };
    const answers = await Promise.all([post(inlet, `${GITHUB}/url`, form), post(inlet, `${GITHUB}/url`, form)]);
    assert.deepEqual(answers.map(({ location }) => location), [`${GITHUB}?done=url`, `${GITHUB}?done=url`]);
    assert.equal(await deliver(replaces, OLD), 200);
  });

  await t.step("no page shows a secret, and the account of changes says what was kept", async () => {
    const html = await get(inlet, GITHUB) + await get(inlet, "/dashboard/audit");
    assert.ok(!html.includes(OLD) && !html.includes(NEW));
    assert.match(html, /webhookSecret set, the old secrets accepted until 2/);
    assert.match(html, /accepted no more: the old URL/);
  });
});

Deno.test("an overlap is begun, seen and ended with JavaScript off, on pages that are accessible", async () => {
  await using dashboard = await DashboardBrowser.start();
  const { inlet } = dashboard;
  const url = await inlet.enable(await inlet.setUp(), "github", { webhookSecret: OLD });
  const page = await dashboard.open(GITHUB, { scripts: false, width: 360 });
  await page.getByLabel("Webhook secret", { exact: true }).fill(NEW);
  await page.getByLabel("Accept the old secrets for").selectOption("1 hour");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("The old secrets are still accepted").waitFor();
  await page.getByRole("link", { name: "Make a new URL" }).click();
  await page.getByLabel("Accept the old one for").selectOption("1 day");
  await page.getByRole("button", { name: "Make a new URL" }).click();
  await page.getByText("The old webhook URL is still known").waitFor();
  assert.equal(await deliver(url, OLD), 200);

  // The checks of accessibility are scripts.
  for (const [path, name] of [[GITHUB, "connector-overlap"], [`${GITHUB}/url`, "connector-url-overlap"]] as const) {
    const scripted = await dashboard.open(path);
    await assertAccessible(scripted);
    await screenshot(scripted, name);
    await scripted.context().close();
  }

  await page.getByRole("button", { name: "Accept only the new ones now" }).click();
  await page.getByText("The old one is not accepted any more").waitFor();
  assert.equal(await deliver(url, OLD), 401);
  await page.getByRole("button", { name: "Take only the new one now" }).click();
  await page.getByText("The old webhook URL is still known").waitFor({ state: "detached" });
  assert.equal(await deliver(url, NEW), 404);
  dashboard.assertNoComplaints();
});
