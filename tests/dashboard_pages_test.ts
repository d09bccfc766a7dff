/** The dashboard's pages as the real process serves them, and the forms that are posted to them. */
import assert from "node:assert/strict";
import { z } from "zod";
import { keys } from "../server/store/keys.ts";
import { unlocked } from "../server/store/unlocked.ts";
import { InletProcess } from "./support/inlet.ts";

const SECRET = "a secret shared with GitHub";
const GITHUB = "/dashboard/connectors/github";

interface Answer {
  readonly status: number;
  readonly location: string | null;
  readonly html: string;
}

async function answer(response: Response): Promise<Answer> {
  return { status: response.status, location: response.headers.get("location"), html: await response.text() };
}

async function get(inlet: InletProcess, path: string): Promise<Answer> {
  return await answer(await fetch(inlet.url + path, { redirect: "manual" }));
}

async function post(inlet: InletProcess, path: string, form: Record<string, string>): Promise<Answer> {
  const body = new URLSearchParams(form);
  return await answer(await fetch(inlet.url + path, { method: "POST", body, redirect: "manual" }));
}

function valueOf(html: string, id: string): string {
  const [tag = ""] = html.match(new RegExp(`<(?:input|textarea)[^>]*id="${id}"[^>]*>`)) ?? [];
  return / value="([^"]*)"/.exec(tag)?.[1] ?? "";
}

Deno.test("the first run: every page leads to it, and each of its steps to the next", async (t) => {
  await using inlet = await InletProcess.start();

  await t.step("without a workspace every page leads to the wizard", async () => {
    for (const path of ["/dashboard", GITHUB, "/dashboard/setup/source"]) {
      const { status, location } = await get(inlet, path);
      assert.deepEqual([status, location], [303, "/dashboard/setup"], path);
    }
    assert.equal((await get(inlet, "/dashboard/setup")).status, 200);
  });

  await t.step("a name that is none comes back with what is wrong", async () => {
    const { status, html } = await post(inlet, "/dashboard/setup", { name: "x".repeat(201) });
    assert.equal(status, 422);
    assert.match(html, /aria-invalid="true" aria-describedby="name-hint name-fault"/);
    assert.equal(valueOf(html, "name"), "x".repeat(201));
  });

  await t.step("a name creates the workspace once", async () => {
    for (let attempt = 0; attempt < 2; attempt++) {
      const { status, location } = await post(inlet, "/dashboard/setup", { name: '</script><b>"&' });
      assert.deepEqual([status, location], [303, "/dashboard/setup/source"]);
    }
    assert.equal((await get(inlet, "/dashboard/setup")).location, "/dashboard/setup/source");
    assert.match((await get(inlet, "/dashboard")).html, /Set up a first source/);
  });

  await t.step("looking at a source changes nothing, and picking it gives it a URL", async () => {
    const here = "/dashboard/setup/source/github";
    const looked = (await get(inlet, here)).html;
    assert.doesNotMatch(looked, /\/webhooks\/github\//);
    assert.match(looked, /The webhook URL is made when you save/);
    assert.equal((await post(inlet, "/dashboard/setup/source", { source: "github" })).location, here);
    const picked = (await get(inlet, here)).html;
    assert.match(picked, /\/webhooks\/github\/.*Only this machine reaches it.*PUBLIC_URL/s);
    assert.doesNotMatch(picked, /The webhook URL is made when you save/);
    assert.equal((await post(inlet, "/dashboard/setup/source", { source: "nothing" })).status, 404);
  });

  await t.step("each visit makes up another secret, and none is shown once it is saved", async () => {
    const here = "/dashboard/setup/source/github";
    const [first, second] = [await get(inlet, here), await get(inlet, here)];
    const secret = valueOf(first.html, "secrets-webhookSecret");
    assert.match(secret, /^[0-9a-f]{64}$/);
    assert.notEqual(secret, valueOf(second.html, "secrets-webhookSecret"));
    assert.equal((await post(inlet, here, { "secrets.webhookSecret": secret })).location, `${here}/wait`);
    for (const path of [here, `${here}/wait`, GITHUB]) {
      const { html } = await get(inlet, path);
      assert.ok(!html.includes(secret), path);
    }
    assert.equal(valueOf((await get(inlet, here)).html, "secrets-webhookSecret"), "");
  });

  await t.step("no secret is made up that the source is to give", async () => {
    const here = "/dashboard/setup/source/slack";
    assert.equal(valueOf((await get(inlet, here)).html, "secrets-signingSecret"), "");
    assert.equal(
      (await post(inlet, here, { "secrets.signingSecret": "that of a Slack app" })).location,
      `${here}/wait`,
    );
    assert.doesNotMatch((await get(inlet, `${here}/wait`)).html, /make up a new one/);
    assert.match((await get(inlet, "/dashboard/setup/source/github/wait")).html, /make up a new one/);
  });

  await t.step("without scripts the server tells whether an event came", async () => {
    const here = "/dashboard/setup/source/github/wait";
    assert.match((await get(inlet, here)).html, /Waiting for the first event from GitHub.*Check again/s);
    assert.equal((await post(inlet, here, { intent: "test", example: "push" })).location, here);
    assert.match((await get(inlet, here)).html, /The first event from GitHub is here/);
    const status = await (await fetch(`${inlet.url}/dashboard/setup/source/github/status`)).json();
    assert.deepEqual(status, { came: true, refusal: null, polled: false });
  });
});

Deno.test("a connector's form: what fits is saved, and what does not comes back", async (t) => {
  await using inlet = await InletProcess.start();
  const workspaceId = await inlet.setUp();
  const saved = async () => {
    return await (await fetch(`${inlet.url}/connectors/github/config?workspaceId=${workspaceId}`)).json();
  };

  await t.step("turned on without its secret it says so beside the field, and keeps what was ticked", async () => {
    const { status, html } = await post(inlet, GITHUB, { enabled: "on", "config.ignoreBots": "on" });
    assert.equal(status, 422);
    assert.match(html, /id="secrets-webhookSecret-fault"[^>]*>Is required</);
    assert.match(html, /id="config-ignoreBots"[^>]* checked/);
    assert.equal((await saved()).webhookUrl, null);
  });

  await t.step("a secret that does not fit is not in the page that says so", async () => {
    const { status, html } = await post(inlet, GITHUB, { enabled: "on", "secrets.webhookSecret": "pa55word" });
    assert.equal(status, 422);
    assert.doesNotMatch(html, /pa55word/);
    assert.match(html, /id="secrets-webhookSecret"[^>]* aria-invalid="true"/);
  });

  await t.step("what fits is saved, and the page says that the secret is set", async () => {
    const form = { enabled: "on", "config.ignoreBots": "on", "secrets.webhookSecret": SECRET };
    assert.equal((await post(inlet, GITHUB, form)).location, `${GITHUB}?done=saved`);
    const { enabled, config, hasSecrets } = await saved();
    assert.deepEqual({ enabled, config, hasSecrets }, {
      enabled: true,
      config: { ignoreBots: true },
      hasSecrets: true,
    });
    const { html } = await get(inlet, `${GITHUB}?done=saved`);
    assert.match(html, /Saved/);
    assert.match(html, />Set</);
    assert.doesNotMatch(html, new RegExp(SECRET));
  });

  await t.step("left empty the secret stays; cleared it is gone, which a connector that is on refuses", async () => {
    assert.equal((await post(inlet, GITHUB, { enabled: "on", "secrets.webhookSecret": "" })).status, 303);
    assert.deepEqual((await saved()).config, { ignoreBots: false });
    assert.equal((await post(inlet, GITHUB, { enabled: "on", "clear.webhookSecret": "on" })).status, 422);
    assert.equal((await saved()).hasSecrets, true);
    assert.equal((await post(inlet, GITHUB, { "clear.webhookSecret": "on" })).status, 303);
    assert.deepEqual([(await saved()).enabled, (await saved()).hasSecrets], [false, false]);
  });

  await t.step("a new URL takes the old one's place, after a question", async () => {
    const { webhookUrl } = await saved();
    assert.ok((await get(inlet, `${GITHUB}/url`)).html.includes(webhookUrl));
    assert.equal((await saved()).webhookUrl, webhookUrl, "looking changes nothing");
    assert.equal((await post(inlet, `${GITHUB}/url`, {})).location, `${GITHUB}?done=url`);
    assert.notEqual((await saved()).webhookUrl, webhookUrl);
  });

  await t.step("a test event of a connector that is off is refused in words", async () => {
    const { status, html } = await post(inlet, GITHUB, { intent: "test", example: "push" });
    assert.equal(status, 409);
    assert.match(html, /The test event was not accepted/);
    assert.equal((await post(inlet, GITHUB, { intent: "test", example: "../../main" })).status, 422);
  });

  await t.step("a test event is a delivery in the list", async () => {
    await post(inlet, GITHUB, { enabled: "on", "secrets.webhookSecret": SECRET });
    const { location } = await post(inlet, GITHUB, { intent: "test", example: "star_created" });
    assert.equal(location, `${GITHUB}?done=sent&events=1&queued=0`);
    const { html } = await get(inlet, location ?? "");
    assert.match(html, /1 event was published/);
    assert.match(html, /<a href="\/dashboard\/deliveries\/[\w-]{36}"/);
    assert.match(html.replaceAll(/<wbr[^>]*>/g, ""), /github\.star\.created/);
  });
});

Deno.test("a form that comes back has what was ticked and the secret that was made up, and says what to enter again", async (t) => {
  await using inlet = await InletProcess.start();
  await inlet.setUp();
  const [setup, device] = ["/dashboard/setup/source/device", "/dashboard/connectors/device"];
  const broken = { "config.customEvents": "{", "config.maxBatchSize": "100" };
  const secret = valueOf((await get(inlet, setup)).html, "secrets-masterSecret");
  assert.match(secret, /^[0-9a-f]{64}$/);

  await t.step("a secret that was made up stays, since the source may have it by now", async () => {
    const form = { ...broken, "secrets.masterSecret": secret, "suggested.masterSecret": secret };
    const { status, html } = await post(inlet, setup, form);
    assert.equal(status, 422);
    assert.equal(valueOf(html, "secrets-masterSecret"), secret);
    assert.match(html, new RegExp(`name="suggested.masterSecret" value="${secret}"`));
    assert.doesNotMatch(html, /Enter again/);
  });

  await t.step("one that was typed does not, and is asked for again", async () => {
    const typed = "f".repeat(64);
    const form = { ...broken, "secrets.masterSecret": typed, "suggested.masterSecret": secret };
    const { html } = await post(inlet, setup, form);
    assert.match(html, /Secrets are not kept in the form\. Enter again: Master secret\./);
    assert.doesNotMatch(html, new RegExp(typed));
  });

  await t.step("what is not saved is not said to be on", async () => {
    const { html } = await post(inlet, device, { ...broken, enabled: "on", "secrets.masterSecret": secret });
    assert.match(html, /<h1[^>]*>Devices<span[^>]*>Off</);
    assert.match(html, /id="enabled"[^>]* checked/);
    assert.match(html, /Turn Devices on first/);
  });

  await t.step("one that is stored is not asked for again, and what was to be cleared still is", async () => {
    assert.equal((await post(inlet, device, { "secrets.masterSecret": secret })).status, 303);
    const { html } = await post(inlet, device, { ...broken, "clear.masterSecret": "on" });
    assert.match(html, /Nothing was saved/);
    assert.doesNotMatch(html, /Enter again/);
    assert.match(html, /name="clear.masterSecret"[^>]* checked/);
  });
});

Deno.test("what the spool took is said to wait, and what had come before to have come", async () => {
  await using inlet = await InletProcess.start({ env: { AMQP_URL: "amqp://127.0.0.1:1" } });
  const webhookUrl = await inlet.enable(await inlet.setUp(), "github", { webhookSecret: SECRET });
  const { location } = await post(inlet, GITHUB, { intent: "test", example: "push" });
  assert.equal(location, `${GITHUB}?done=sent&events=0&queued=2`);
  const sent = (await get(inlet, location ?? "")).html;
  assert.match(sent, /Test sent: 2 events wait in the spool until the broker confirms/);
  assert.match(sent, />2 × .*, 2 by the spool</);
  assert.doesNotMatch(sent, /No event comes of it/);
  const [, delivery = ""] = /href="(\/dashboard\/deliveries\/[\w-]{36})"/.exec(sent) ?? [];
  const replayed = await post(inlet, delivery, {});
  assert.match((await get(inlet, replayed.location ?? "")).html, /Replayed: 2 events wait in the spool/);

  await (await fetch(webhookUrl, { method: "POST", body: "{}" })).body?.cancel();
  const overview = (await get(inlet, "/dashboard")).html;
  assert.match(overview, /4 events waiting for the broker/);
  assert.match(overview, /The broker is not ready.*The newest delivery from GitHub was refused/s);
});

Deno.test("no page is framed, kept by a cache or runs what is inline, whatever became of the request", async () => {
  await using inlet = await InletProcess.start();
  await inlet.setUp();
  const protecting = [
    ["cache-control", "no-store"],
    ["content-security-policy", /^default-src 'self';.* frame-ancestors 'none'/],
    ["referrer-policy", "same-origin"],
    ["x-content-type-options", "nosniff"],
  ] as const;
  const foreign = { headers: { "sec-fetch-site": "cross-site" } };
  const asked: [string, number, RequestInit?][] = [
    ["/dashboard", 200],
    [`${GITHUB}/url`, 303],
    ["/dashboard/nowhere", 404],
    ["/dashboard/connectors/nothing", 404],
    ["/dashboard", 405, { method: "POST", body: new URLSearchParams() }],
    [GITHUB, 403, { method: "POST", body: new URLSearchParams(), ...foreign }],
  ];
  for (const [path, status, init] of asked) {
    const response = await fetch(inlet.url + path, { redirect: "manual", ...init });
    await response.body?.cancel();
    assert.equal(response.status, status, path);
    for (const [name, wanted] of protecting) assert.match(response.headers.get(name) ?? "", new RegExp(wanted), path);
  }
});

Deno.test("pages that cannot be are answered with a usable page", async () => {
  await using inlet = await InletProcess.start();
  await inlet.setUp();
  for (const path of ["/dashboard/connectors/nothing", "/dashboard/setup/source/%3Cscript%3E", "/dashboard/nowhere"]) {
    const { status, html } = await get(inlet, path);
    assert.equal(status, 404, path);
    assert.match(html, /<title>There is no such page · Inlet<\/title>.*<h1>There is no such page.*href="\/dashboard"/s);
    assert.doesNotMatch(html, /<script>/);
  }
  const forms: [RequestInit, number][] = [
    [{ headers: { "content-type": "application/json" }, body: "{}" }, 415],
    [{ body: new URLSearchParams({ a: "x".repeat(2 ** 20) }) }, 413],
    [{ body: new URLSearchParams({ a: "b" }), headers: { "sec-fetch-site": "cross-site" } }, 403],
  ];
  for (const [init, status] of forms) {
    const { status: got, html } = await answer(await fetch(inlet.url + GITHUB, { method: "POST", ...init }));
    assert.equal(got, status);
    assert.match(html, /<title>That did not work · Inlet.*<h1>That did not work/s);
  }
  for (const workspaceId of ["", "ä€", "a\r\nb", "x; Domain=example.com", crypto.randomUUID()]) {
    const body = new URLSearchParams({ do: "show", workspaceId });
    const response = await fetch(`${inlet.url}/dashboard/workspaces`, { method: "POST", body, redirect: "manual" });
    assert.match(await response.text(), /There is no such page/);
    assert.deepEqual([response.status, response.headers.get("set-cookie")], [404, null], workspaceId);
  }
  for (const before of ["x".repeat(5000), "%00", "é"]) {
    assert.equal((await get(inlet, `/dashboard/audit?before=${before}`)).status, 200);
  }
  const { html } = await get(inlet, `${GITHUB}?done=sent&events=<b>&new-secret`);
  assert.doesNotMatch(html, /<b>|Test sent/);
});

Deno.test("pages say so only of a webhook URL that no other machine reaches", async () => {
  for (const [publicUrl, isLocal] of [["http://localhost:9999", true], ["https://inlet.example.com", false]] as const) {
    await using inlet = await InletProcess.start({ env: { PUBLIC_URL: publicUrl } });
    await inlet.enable(await inlet.setUp(), "github", { webhookSecret: SECRET });
    for (const path of [GITHUB, "/dashboard/setup/source/github", "/dashboard/setup/source/github/wait"]) {
      const { html } = await get(inlet, path);
      assert.ok(html.includes(`"${publicUrl}/webhooks/github/`), path);
      assert.equal(html.includes("Only this machine reaches it"), isLocal, path);
    }
  }
});

Deno.test("what a preset decides is closed in the form, unless something is entered there or wrong", async () => {
  await using inlet = await InletProcess.start();
  await inlet.setUp();
  const path = "/dashboard/connectors/webhook";
  const groups = (html: string) => {
    const found = /<details ?(open)?><summary>(How the sender signs|Where a delivery says what) <span[^>]*>([^<]*)</g;
    return [...html.matchAll(found)].map(([, open, , set]) => [set, open].join(" ").trim());
  };
  assert.deepEqual(groups((await get(inlet, path)).html), ["0 of 10 set", "0 of 13 set"]);
  const wrong = await post(inlet, path, { "config.preset": "stripe", "config.algorithm": "sha1" });
  assert.deepEqual(groups(wrong.html), ["1 of 10 set open", "0 of 13 set"]);
  assert.equal((await post(inlet, path, { "config.preset": "stripe", "config.sender": "Acme" })).status, 303);
  assert.deepEqual(groups((await get(inlet, path)).html), ["0 of 10 set", "1 of 13 set open"]);
});

Deno.test("a choice that has a default offers no other word for it", async () => {
  await using inlet = await InletProcess.start();
  await inlet.setUp();
  const choices = async (source: string, id: string) => {
    const { html } = await get(inlet, `/dashboard/connectors/${source}`);
    const [, options = ""] = new RegExp(`<select[^>]*id="config-${id}"[^>]*>(.*?)</select>`, "s").exec(html) ?? [];
    return Array.from(options.matchAll(/>([^<]+)</g), ([, text]) => text);
  };
  assert.deepEqual(await choices("email", "tls"), ["implicit", "starttls", "none"]);
  assert.deepEqual(await choices("webhook", "algorithm"), ["Not set", "sha256", "sha512"]);
});

Deno.test("a guide begins with the steps, its links lead somewhere, and its headings keep their order", async () => {
  await using inlet = await InletProcess.start();
  await inlet.setUp();
  const { html } = await get(inlet, GITHUB);
  const links = Array.from(html.matchAll(/<a href="([^"]*)"/g), ([, href]) => href ?? "");
  for (const href of links) assert.match(href, /^(?:https:\/\/|\/dashboard|\?|#)/);
  for (const connector of await (await fetch(`${inlet.url}/connectors`)).json()) {
    const connect = await get(inlet, `/dashboard/setup/source/${connector.id}`);
    assert.match(
      connect.html,
      /<h2[^>]*>How to set up [^<]*<\/h2><div class="prose">(?:<h3>[^<]*<\/h3>\s*)?<ol>/,
      connector.id,
    );
  }
  const levels = Array.from(html.matchAll(/<h([1-6])/g), ([, level]) => Number(level));
  assert.ok(levels.every((level, index) => level <= (levels[index - 1] ?? 0) + 1), levels.join());
});

Deno.test("the overview names what needs attention, and shows events as a chart and as a table", async () => {
  await using inlet = await InletProcess.start({ env: { AMQP_URL: "amqp://127.0.0.1:1", SPOOL_MAX_BYTES: "0" } });
  const workspaceId = await inlet.setUp();
  await inlet.enable(workspaceId, "github", { webhookSecret: SECRET });
  const { html } = await get(inlet, "/dashboard");
  assert.match(html, /The broker is not ready/);
  assert.match(html, /The spool takes no events/);
  assert.match(html, /GitHub is on, and no event has come/);
  const refused = await post(inlet, GITHUB, { intent: "test", example: "push" });
  assert.equal(refused.status, 503);
  assert.match((await get(inlet, "/dashboard")).html, /The newest delivery from GitHub was refused/);
  assert.match((await get(inlet, "/dashboard/connectors")).html, /Refused with 503/);

  await using working = await InletProcess.start();
  await working.enable(await working.setUp(), "github", { webhookSecret: SECRET });
  await post(working, GITHUB, { intent: "test", example: "push" });
  const overview = (await get(working, "/dashboard")).html;
  assert.match(overview, /There is no broker/);
  assert.match(overview, /<svg role="img" aria-label="2 events in the last hour, at most 2 a minute"/);
  assert.match(overview, /<th scope="row">\d\d:\d\d<\/th><td[^>]*>2<\/td>/);
});

Deno.test("pages show a connector whose settings are damaged, and its form replaces them", async () => {
  await using inlet = await InletProcess.start();
  const workspaceId = await inlet.setUp();
  const url = await inlet.enable(workspaceId, "github", { webhookSecret: SECRET });
  using kv = await Deno.openKv(`${inlet.folder}/inlet.sqlite3`);
  await unlocked(() => kv.set(keys.connectorConfig(workspaceId, "github"), new TextEncoder().encode("{}")));
  for (const path of ["/dashboard", "/dashboard/connectors", GITHUB]) {
    const { status, html } = await get(inlet, path);
    assert.equal(status, 200, path);
    assert.match(html, /Cannot read the settings of github in the store .* save them anew/);
  }
  assert.equal((await post(inlet, "/dashboard/setup/source", { source: "github" })).status, 303);
  assert.equal((await post(inlet, GITHUB, { enabled: "on", "secrets.webhookSecret": SECRET })).status, 303);
  const { html } = await get(inlet, GITHUB);
  assert.doesNotMatch(html, /Cannot read the settings/);
  assert.ok(html.includes("/webhooks/github/") && !html.includes(url), "it has another URL");
});

Deno.test("the overview costs the server little more than a page without data", async () => {
  await using inlet = await InletProcess.start();
  await inlet.enable(await inlet.setUp(), "github", { webhookSecret: SECRET });
  const median = async (path: string) => {
    const times: number[] = [];
    for (let count = 0; count < 200; count++) {
      const began = performance.now();
      await get(inlet, path);
      times.push(performance.now() - began);
    }
    return times.sort((a, b) => a - b)[100] ?? 0;
  };
  await median("/dashboard");
  const [overview, hello] = [await median("/dashboard"), await median("/dashboard/setup/source")];
  const ratio = (overview / hello).toFixed(1);
  // deno-lint-ignore no-console -- a number that the test is to show
  console.log(`overview: ${overview.toFixed(2)} ms, ${ratio} times a page without data (${hello.toFixed(2)} ms)`);
});

Deno.test("a form that was opened for one workspace changes nothing in another that is shown since", async () => {
  await using inlet = await InletProcess.start();
  const first = await inlet.setUp();
  const { workspaceId: second } = z.object({ workspaceId: z.string() })
    .parse(await inlet.post("/workspaces", { workspaceName: "Second" }));
  const at = (workspaceId: string, init: RequestInit = {}) =>
    fetch(`${inlet.url}/dashboard/connectors/github`, {
      ...init,
      redirect: "manual",
      headers: { cookie: `inlet_workspace=${workspaceId}`, "content-type": "application/x-www-form-urlencoded" },
    });
  const opened = await (await at(first)).text();
  const forms = [...opened.matchAll(/<form method="post"[\s\S]*?<\/form>/g)].map(([form]) => form);
  const own = forms.filter((form) => form.includes(`name="workspace" value="${first}"`));
  assert.ok(own.length >= 1 && own.length === forms.length, "each form says for which workspace it is");

  const body = new URLSearchParams({ workspace: first, "secrets.webhookSecret": "a secret for the first one" })
    .toString();
  const refused = await at(second, { method: "POST", body });
  assert.equal(refused.status, 409);
  assert.match(await refused.text(), /shows another workspace since/);
  assert.equal((await at(first, { method: "POST", body })).status, 303);
  for (const [workspaceId, hasSecrets] of [[first, true], [second, false]] as const) {
    const view = await (await fetch(`${inlet.url}/connectors/github/config?workspaceId=${workspaceId}`)).json();
    assert.equal(view.hasSecrets, hasSecrets);
  }
});

Deno.test("a page that was opened for one workspace is told of that one while another is shown", async () => {
  await using inlet = await InletProcess.start();
  const first = await inlet.setUp();
  await inlet.enable(first, "github", { webhookSecret: SECRET });
  await post(inlet, GITHUB, { intent: "test", example: "push" });
  const { workspaceId: second } = z.object({ workspaceId: z.string() })
    .parse(await inlet.post("/workspaces", { workspaceName: "Second" }));
  const headers = { cookie: `inlet_workspace=${second}` };
  const tell = async (path: string, workspaceId: string) =>
    await (await fetch(`${inlet.url}${path}?workspaceId=${workspaceId}`, { headers })).json();
  for (const [workspaceId, came, seen] of [[first, true, 2], [second, false, 0]] as const) {
    assert.equal((await tell("/dashboard/setup/source/github/status", workspaceId)).came, came);
    assert.deepEqual(await tell("/dashboard/events/github.commit.pushed/count", workspaceId), { seen });
  }
  const gone = await fetch(`${inlet.url}/dashboard/setup/source/github/status?workspaceId=${crypto.randomUUID()}`);
  assert.equal(gone.status, 404);
  await gone.body?.cancel();

  const [, delivery = ""] = /href="(\/dashboard\/deliveries\/[\w-]{36})"/.exec((await get(inlet, GITHUB)).html) ?? [];
  const body = new URLSearchParams({ workspace: first });
  const replayed = await fetch(inlet.url + delivery, { method: "POST", headers, body });
  assert.equal(replayed.status, 409);
  assert.match(await replayed.text(), /shows another workspace since/);
});
