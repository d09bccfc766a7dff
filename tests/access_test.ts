/** Who gets in, at the real process, over real connections. */
import assert from "node:assert/strict";
import { assertAccessible, DashboardBrowser, screenshot } from "./support/dashboard.ts";
import { InletProcess } from "./support/inlet.ts";
import { StreamClient } from "./support/streams.ts";

const ADMIN_TOKEN = "the-admin-token-of-a-test";
const METRICS_TOKEN = "the-metrics-token-of-a-test";
const AUTHORIZED = { authorization: `Bearer ${ADMIN_TOKEN}` };
const JSON_TYPE = { "content-type": "application/json" };

/** A request as raw as it goes over the wire: `fetch` does not let a test choose the `Host`. */
async function raw(url: string, path: string, headers: Record<string, string>): Promise<string> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port: Number(new URL(url).port) });
  const lines = Object.entries({ connection: "close", ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  await connection.write(new TextEncoder().encode(`GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`));
  return await new Response(connection.readable).text();
}

Deno.test("without ADMIN_TOKEN only this machine is served, but everybody's webhooks", async () => {
  await using inlet = await InletProcess.start();
  const host = new URL(inlet.url).host;
  await inlet.setUp();
  assert.match(await raw(inlet.url, "/workspaces", { host }), /^HTTP\/1\.1 200 [\s\S]*Acme/);
  for (
    const headers of [
      { host: "evil.example" },
      { host: `evil.example:${new URL(inlet.url).port}` },
      { host, "x-forwarded-for": "203.0.113.7" },
      { host, forwarded: "for=203.0.113.7" },
      { host, "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" },
    ]
  ) {
    for (
      const path of ["/workspaces", "/setup/status", "/openapi.json", "/events/stream?workspaceId=x", "/connectors"]
    ) {
      const refused = await raw(inlet.url, path, headers);
      assert.match(refused, /^HTTP\/1\.1 403 [\s\S]*application\/problem\+json/, `${path} ${JSON.stringify(headers)}`);
      assert.ok(!refused.includes("Acme"));
    }
  }
  const page = await raw(inlet.url, "/dashboard", { host: "evil.example", accept: "text/html" });
  assert.match(page, /^HTTP\/1\.1 403 [\s\S]*<!DOCTYPE html>[\s\S]*ADMIN_TOKEN is not set/i);
  assert.ok(!page.includes("Acme"));
  assert.match(await raw(inlet.url, "/healthz", { host: "inlet.internal", via: "1.1 proxy" }), /^HTTP\/1\.1 200/);
  const webhook = await fetch(`${inlet.url}/webhooks/github/nobody`, { method: "POST", headers: { via: "1.1 proxy" } });
  assert.equal(
    (await webhook.json()).type,
    "urn:inlet:problem:not-found",
    "it came through to where sources are known",
  );
});

Deno.test("with ADMIN_TOKEN nothing but webhooks and health is served to whoever does not say who they are", async () => {
  await using inlet = await InletProcess.start({ env: { ADMIN_TOKEN, METRICS_TOKEN } });
  const at = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
    fetch(`${inlet.url}${path}`, { redirect: "manual", headers, ...init });
  const status = async (path: string, headers?: Record<string, string>) => {
    const response = await at(path, headers);
    await response.body?.cancel();
    return response.status;
  };
  for (
    const path of [
      "/setup/status",
      "/connectors",
      "/workspaces",
      "/openapi.json",
      "/events/stream",
      "/metrics",
      "/nowhere",
    ]
  ) {
    const response = await at(path);
    assert.equal(response.status, 401, path);
    assert.equal(response.headers.get("www-authenticate"), 'Bearer realm="Inlet"');
    assert.match((await response.json()).detail, /Authorization: Bearer/);
    assert.equal(await status(path, { authorization: "Bearer guess" }), 401);
  }
  assert.deepEqual(await Promise.all(["/healthz", "/readyz", "/styles.css"].map((path) => status(path))), [
    200,
    200,
    200,
  ]);
  const toSignIn = await at("/dashboard/deliveries?connector=github", { accept: "text/html" });
  assert.equal(toSignIn.status, 303);
  assert.equal(
    toSignIn.headers.get("location"),
    "/dashboard/sign-in?to=%2Fdashboard%2Fdeliveries%3Fconnector%3Dgithub",
  );

  const sent = await at("/dashboard/connectors/github", {}, { method: "POST", body: new URLSearchParams({ a: "b" }) });
  assert.equal(sent.headers.get("location"), "/dashboard/sign-in?to=%2Fdashboard%2Fconnectors%2Fgithub&unsent");
  assert.match(await (await at(sent.headers.get("location") ?? "")).text(), /What you sent was not taken/);
  assert.doesNotMatch(await (await at("/dashboard/sign-in")).text(), /What you sent/);
  const left = await at("/dashboard/sign-out", {}, { method: "POST", body: new URLSearchParams() });
  assert.equal(left.headers.get("location"), "/dashboard/sign-in");

  const made = await at("/workspaces", { ...AUTHORIZED, ...JSON_TYPE }, {
    method: "POST",
    headers: { ...AUTHORIZED, ...JSON_TYPE },
    body: JSON.stringify({ workspaceName: "Acme" }),
  });
  const { workspaceId } = await made.json();
  const key = await (await fetch(`${inlet.url}/workspaces/${workspaceId}/keys`, {
    method: "POST",
    headers: { ...AUTHORIZED, ...JSON_TYPE },
    body: JSON.stringify({ name: "consumer", scope: "read" }),
  })).json();
  using stream = await StreamClient.open(inlet.url, workspaceId, { authorization: `Bearer ${key.secret}` });
  assert.equal(
    await status(`/connectors/github/config?workspaceId=${workspaceId}`, { authorization: `Bearer ${key.secret}` }),
    200,
  );
  assert.equal(await status("/setup/status", { authorization: `Bearer ${key.secret}` }), 403);
  for (const [token, expected] of [[key.secret, 403], [METRICS_TOKEN, 200], [ADMIN_TOKEN, 200]]) {
    assert.equal(await status("/metrics", { authorization: `Bearer ${token}` }), expected);
  }
  await fetch(`${inlet.url}/workspaces/${workspaceId}/keys/${key.id}`, { method: "DELETE", headers: AUTHORIZED });
  assert.equal(await status("/connectors", { authorization: `Bearer ${key.secret}` }), 401);
  const changes = await (await at(`/audit?workspaceId=${workspaceId}`, AUTHORIZED)).json();
  assert.deepEqual(changes.map(({ by, action }: Record<string, string>) => `${by} ${action}`), [
    "admin revoked the API key",
    "admin made the API key",
    "admin created the workspace",
  ]);
  assert.ok(stream);
  const behindProxy = await (await at("/dashboard/stream", { ...AUTHORIZED, "x-forwarded-proto": "https" })).text();
  assert.match(behindProxy, /curl -N .*'https:\/\/localhost:\d+\/events\/stream/, "the command sends an API key");
  const send = async (...args: string[]) => {
    const command = ["task", "send", "github", "push", "--to", inlet.url, ...args];
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), { args: command }).output();
    return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  };
  assert.match(await send("--token", ADMIN_TOKEN), /200 \{"ok":true,"published":2\}/);
  assert.match(await send(), /answered 401: .*ADMIN_TOKEN/);
  for (const secret of [ADMIN_TOKEN, METRICS_TOKEN, key.secret]) {
    assert.ok(!inlet.output.includes(secret), "the log holds a secret");
  }
});

async function pagePaths(folder = "routes/dashboard"): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(folder));
  const paths = await Promise.all(entries.map(({ name, isDirectory }) => {
    if (isDirectory) return pagePaths(`${folder}/${name}`);
    return name.startsWith("_") ? [] : [`${folder}/${name}`.replace(/(?:\/index)?\.tsx?$/, "").replace("routes", "")];
  }));
  return paths.flat().map((path) => path.replace("[connector]", "github").replace("[id]", crypto.randomUUID()));
}

Deno.test("an API key opens no page of the dashboard, and changes nothing by one", async () => {
  await using inlet = await InletProcess.start({ env: { ADMIN_TOKEN } });
  const call = async (path: string, body: unknown) =>
    await (await fetch(inlet.url + path, {
      method: "POST",
      headers: { ...AUTHORIZED, ...JSON_TYPE },
      body: JSON.stringify(body),
    })).json();
  const { workspaceId: theirs } = await call("/workspaces", { workspaceName: "Theirs" });
  const { workspaceId: mine } = await call("/workspaces", { workspaceName: "Mine" });
  const { secret } = await call(`/workspaces/${mine}/keys`, { name: "consumer", scope: "manage" });
  const headers = { authorization: `Bearer ${secret}`, cookie: `inlet_workspace=${theirs}` };
  const paths = await pagePaths();
  assert.ok(paths.length > 10 && paths.includes("/dashboard/workspaces/remove"), paths.join());
  for (const path of ["/", "/nowhere", ...paths]) {
    for (const method of ["GET", "POST"]) {
      const body = method === "POST"
        ? new URLSearchParams({ do: "create-key", name: "Theirs", source: "github" })
        : null;
      const response = await fetch(inlet.url + path, {
        method,
        headers: { ...headers, accept: "text/html" },
        body,
        redirect: "manual",
      });
      const html = await response.text();
      // Who is to sign in may see where.
      if (path === "/dashboard/sign-in" && method === "GET") continue;
      assert.equal(response.status, 403, `${method} ${path}`);
      assert.match(html, /sign in with ADMIN_TOKEN/);
      assert.ok(!html.includes("Theirs") && !html.includes(theirs), `${method} ${path}`);
    }
  }
  const left = await (await fetch(`${inlet.url}/workspaces`, { headers: AUTHORIZED })).json();
  assert.deepEqual(left.map(({ workspaceName }: { workspaceName: string }) => workspaceName), ["Theirs", "Mine"]);
  const keys = await (await fetch(`${inlet.url}/workspaces/${theirs}/keys`, { headers: AUTHORIZED })).json();
  assert.deepEqual(keys, []);
});

Deno.test("a sign-in leads to a page of the dashboard, wherever it was to lead", async () => {
  await using inlet = await InletProcess.start({ env: { ADMIN_TOKEN } });
  for (
    const [to, location] of [
      ["/dashboard/deliveries?connector=github", "/dashboard/deliveries?connector=github"],
      ["/dashboard/ä€", "/dashboard/%C3%A4%E2%82%AC"],
      ["/dashboard/\r\nset-cookie:a=b", "/dashboard/set-cookie:a=b"],
      ["/dashboard/../../webhooks", "/dashboard"],
      ["/dashboard\\..\\..\\example.com", "/dashboard"],
      ["/dashboard.example.com", "/dashboard"],
      ["/dashboard/../dashboard/sign-out", "/dashboard"],
      ["//example.com/dashboard", "/dashboard"],
      ["https://example.com/dashboard", "/dashboard"],
      ["javascript:alert(1)", "/dashboard"],
    ] as const
  ) {
    const response = await fetch(`${inlet.url}/dashboard/sign-in?to=${encodeURIComponent(to)}`, {
      method: "POST",
      body: new URLSearchParams({ token: ADMIN_TOKEN }),
      redirect: "manual",
    });
    await response.body?.cancel();
    assert.deepEqual([response.status, response.headers.get("location")], [303, location], to);
  }
});

Deno.test("people sign in to the dashboard, change workspaces, make keys, and sign out", async () => {
  await using dashboard = await DashboardBrowser.start({ env: { ADMIN_TOKEN } });
  const page = await dashboard.open("/dashboard/stream");
  assert.match(page.url(), /\/dashboard\/sign-in\?to=/);
  await assertAccessible(page);
  await screenshot(page, "sign-in");
  await page.getByLabel("Admin token").fill("a-guess-of-a-test");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("that is not the value of ADMIN_TOKEN").waitFor();
  await page.getByLabel("Admin token").fill(ADMIN_TOKEN);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/dashboard/setup");

  const [cookie] = await page.context().cookies();
  assert.deepEqual([cookie?.name, cookie?.httpOnly, cookie?.sameSite], ["inlet_session", true, "Strict"]);
  await page.getByLabel("Name of the workspace").fill("Acme");
  await page.getByRole("button", { name: "Create the workspace" }).click();
  await page.waitForURL("**/setup/source");

  await page.goto("/dashboard/workspaces");
  await page.getByLabel("Name of a new workspace").fill("Rover");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByText("The workspace was created").waitFor();
  await page.getByRole("navigation").getByText("Rover").waitFor();
  await page.getByLabel("Name of a new key").fill("consumer");
  await page.getByRole("button", { name: "Make the key" }).click();
  const secret = await page.getByLabel("API key", { exact: true }).inputValue();
  assert.match(secret, /^inlet_/);
  await assertAccessible(page);
  await screenshot(page, "workspaces");
  await page.goto("/dashboard/workspaces");
  assert.ok(!(await page.content()).includes(secret), "it is shown once");

  await page.goto("/dashboard/stream");
  await page.waitForSelector("[data-connection=live]");
  await page.goto("/dashboard/workspaces");
  await page.getByText("Revoke consumer").click();
  await page.getByRole("button", { name: "For good" }).click();
  await page.getByText("The key was revoked").waitFor();
  await page.getByRole("link", { name: "Remove this workspace" }).click();
  await page.getByLabel("To remove it, type its name").fill("Acme");
  await page.getByRole("button", { name: "Remove it" }).click();
  await page.getByText("That is not its name").waitFor();
  await assertAccessible(page);
  await page.getByLabel("To remove it, type its name").fill("Rover");
  await page.getByRole("button", { name: "Remove it" }).click();
  await page.getByText("The workspace was removed").waitFor();
  await page.getByRole("navigation").getByText("Acme").waitFor();

  await page.goto("/dashboard/audit?all");
  await page.getByRole("cell", { name: "failed to sign in from 127.0.0.1" }).first().waitFor();
  await page.getByRole("cell", { name: "removed the workspace Rover" }).waitFor();
  await assertAccessible(page);
  await screenshot(page, "audit");
  assert.ok(!(await page.content()).includes(secret) && !(await page.content()).includes(ADMIN_TOKEN));
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL("**/dashboard/sign-in");
  await page.goto("/dashboard");
  assert.match(page.url(), /sign-in/);
  dashboard.assertNoComplaints();
});

Deno.test("a live stream whose session has ended says so, and leads to where people sign in", async () => {
  await using dashboard = await DashboardBrowser.start({ env: { ADMIN_TOKEN } });
  await dashboard.inlet.setUp();
  const page = await dashboard.open("/dashboard/stream");
  await page.route("**/events/stream?*", (route) => route.abort());
  await page.getByLabel("Admin token").fill(ADMIN_TOKEN);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForSelector("[data-connection=reconnecting]");
  const cookies = await page.context().cookies();
  await page.context().clearCookies();
  await page.unroute("**/events/stream?*");
  await page.waitForSelector("[data-connection=signed-out]");
  await page.context().addCookies(cookies);
  await page.waitForSelector("[data-connection=live]");

  await page.route("**/events/stream?*", (route) => route.abort());
  await page.reload();
  await page.waitForSelector("[data-connection=reconnecting]");
  await page.context().clearCookies();
  await page.unroute("**/events/stream?*");
  await page.getByRole("link", { name: "Sign in again" }).click();
  await page.waitForURL("**/dashboard/sign-in?to=*");
});

Deno.test("signing out in one tab ends the live streams of the others, which say so", async () => {
  await using dashboard = await DashboardBrowser.start({ env: { ADMIN_TOKEN } });
  await dashboard.inlet.setUp();
  const stream = await dashboard.open("/dashboard/stream");
  await stream.getByLabel("Admin token").fill(ADMIN_TOKEN);
  await stream.getByRole("button", { name: "Sign in" }).click();
  await stream.waitForSelector("[data-connection=live]");
  const wizard = await stream.context().newPage();
  await wizard.goto("/dashboard/setup/source/github/wait");
  await wizard.waitForSelector("[data-live=true]");
  const other = await stream.context().newPage();
  await other.goto("/dashboard");
  await other.getByRole("button", { name: "Sign out" }).click();
  await stream.waitForSelector("[data-connection=signed-out]");
  await wizard.getByText("You are signed out").waitFor();
});

Deno.test("a start that would serve others without a token ends with one clear line", async () => {
  await using inlet = await InletProcess.spawn({ env: { HOST: "0.0.0.0" } });
  const { code, output } = await inlet.ended();
  assert.equal(code, 1);
  assert.match(output, /Cannot start: HOST is "0\.0\.0\.0" and ADMIN_TOKEN is not set/);
  assert.ok(!output.includes("at file:"), output);
});
