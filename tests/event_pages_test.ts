/** The event catalogue of the dashboard, by the real process in a real browser. */
import assert from "node:assert/strict";
import { catalogue } from "../connectors/catalogue.ts";
import type { Page } from "playwright-core";
import { Connection } from "rabbitmq-client";
import { cleanUp, testAmqpUrl, uniqueExchange } from "./support/broker.ts";
import { deliver, PUSH_SECRET, pushDelivery, starDelivery } from "./support/browsing.ts";
import { assertAccessible, DashboardBrowser, screenshot, weigh } from "./support/dashboard.ts";
import { InletProcess } from "./support/inlet.ts";
import { pikaIsPresent, PYTHON } from "./support/python.ts";

const SCRIPT_BUDGET = 20 * 1024;
const STYLE_BUDGET = 15 * 1024;
const PR = "github.pr.opened";

Deno.test("the event catalogue", async (t) => {
  await using dashboard = await DashboardBrowser.start();
  const { inlet } = dashboard;
  const workspaceId = await inlet.setUp();
  const webhookUrl = await inlet.enable(workspaceId, "github", { webhookSecret: PUSH_SECRET });
  const get = async (path: string) => {
    const response = await fetch(`${inlet.url}/dashboard/events${path}`);
    return { status: response.status, html: await response.text() };
  };

  await t.step("lists every type with what it means, those of sources that are on first", async () => {
    const { html } = await get("");
    for (const { descriptions, manifest: { triggers } } of catalogue) {
      for (const type of triggers) {
        assert.ok(html.includes(`<a href="/dashboard/events/${type}"`), type);
        const description = descriptions[type] ?? assert.fail(type);
        assert.ok(html.includes(`<p>${description.replaceAll('"', "&quot;")}</p>`), type);
      }
    }
    assert.match(html, /<details[^>]* open[^>]*><summary><h2[^>]*>GitHub<\/h2><span[^>]*>On</);
    assert.equal(html.match(/<details[^>]* open/g)?.length, 1);
    assert.doesNotMatch(html, /<script type="module"/, "the list needs no script");
  });

  await t.step("is searched and filtered without a script", async () => {
    const page = await dashboard.open("/dashboard/events", { scripts: false, width: 360 });
    await page.getByLabel("Words, or a binding").fill("*.pr.opened");
    await page.getByRole("button", { name: "Show" }).click();
    assert.deepEqual(await page.locator("li a").allInnerTexts(), [PR, "gitea.pr.opened", "gitlab.pr.opened"]);
    await page.getByLabel("Source").selectOption("gitea");
    await page.getByRole("button", { name: "Show" }).click();
    assert.deepEqual(await page.locator("li a").allInnerTexts(), ["gitea.pr.opened"]);
    await page.getByLabel("Words, or a binding").fill("no such thing");
    await page.getByRole("button", { name: "Show" }).click();
    await page.getByText("No event type is like that").waitFor();
    await page.getByRole("link", { name: "Show all" }).click();
    await page.getByText(PR, { exact: true }).waitFor();
    await page.context().close();
  });

  await t.step("takes any address, and knows no type that there is none of", async () => {
    for (const query of [`?q=${"x".repeat(5000)}`, "?source=%00&q=%3Cb%3E", "?q=%23.%23.%23.%23"]) {
      const { status, html } = await get(query);
      assert.equal(status, 200, query);
      assert.doesNotMatch(html, /<b>/);
    }
    for (const type of ["github.pr.unheard_of", "webhook.a", "%3Cb%3E", "constructor"]) {
      assert.equal((await get(`/${type}`)).status, 404, type);
      assert.equal((await get(`/${type}/count`)).status, 404, type);
    }
  });

  await t.step("every type has a page with its fields and what it is bound with", async () => {
    for (const { manifest: { triggers } } of catalogue) {
      // A page of each payload's shape is enough: the types of one entity share it.
      for (const [type = ""] of Map.groupBy(triggers, (type) => type.split(".")[1]).values()) {
        const { status, html } = await get(`/${type}`);
        assert.equal(status, 200, type);
        assert.ok(html.includes(`id="binding" class="field font-mono" value="${type}"`), type);
        assert.match(html, /aria-label="Fields of the payload".*<th scope="row"/s, type);
      }
    }
  });

  await t.step("a page counts live, by what the server has counted", async () => {
    const page = await dashboard.open("/dashboard/events/github.commit.pushed");
    await page.locator("[data-live=true]").getByText("0 events").waitFor();
    await deliver(webhookUrl, starDelivery());
    const push = pushDelivery(["first", "second"]);
    await deliver(webhookUrl, push);
    await page.getByText("2 events").waitFor();
    await deliver(webhookUrl, push);
    const [first] = await page.getByRole("table", { name: "Last events" }).locator("tbody tr").all();
    assert.equal(first, undefined, "the list is of when the page was made");
    await page.reload();
    assert.equal(await page.getByRole("table", { name: "Last events" }).locator("tbody tr").count(), 2);
    await page.getByRole("table", { name: "Last events" }).getByRole("link").first().click();
    await page.getByRole("heading", { name: "Delivery from GitHub" }).waitFor();
    await page.context().close();
    assert.match((await get("?q=commit.pushed")).html, /github\.commit\.pushed<\/a>.*?2 events<\/span>/s);
  });

  await t.step(
    "more pages are open in tabs than a browser has connections, and each counts while it is in sight",
    async () => {
      const first = await dashboard.open("/dashboard/events/github.commit.pushed");
      const see = async (tab: Page, seen: boolean) => {
        await tab.evaluate(`Object.defineProperty(document, "hidden", { configurable: true, value: ${!seen} })`);
        await tab.evaluate(`document.dispatchEvent(new Event("visibilitychange"))`);
      };
      let shown = first;
      for (let tabs = 1; tabs <= 7; tabs++) {
        await shown.locator("[data-live=true]").waitFor();
        await see(shown, false);
        shown = await first.context().newPage();
        await shown.goto("/dashboard/events/github.commit.pushed");
      }
      await see(first, true);
      await first.locator("[data-live=true]").getByText("2 events").waitFor();
      await deliver(webhookUrl, pushDelivery(["third"]));
      await first.getByText("3 events").waitFor();
      await first.context().close();
    },
  );

  await t.step("without a script a page has everything but the live count", async () => {
    const page = await dashboard.open(`/dashboard/events/${PR}`, { scripts: false });
    for (const text of ["A pull request was opened", "0 events", "pullRequest.", '"pullRequest"', "consume({"]) {
      await page.getByText(text).first().waitFor({ state: "attached" });
    }
    // Fetched, not visited: of a document that is no page a browser asks for an icon that nobody has.
    const schema = await page.getByRole("link", { name: "JSON Schema" }).getAttribute("href");
    assert.equal((await (await fetch(`${inlet.url}${schema}`)).json()).title, PR);
    await page.context().close();
  });

  await t.step("shows its tables whole where there is little room", async () => {
    for (const type of [PR, "gitlab.pipeline.failed"]) {
      const page = await dashboard.open(`/dashboard/events/${type}`, { scripts: false, width: 360 });
      for (const name of ["Bindings", "Fields of the payload"]) {
        const widths = await page.getByRole("region", { name }).evaluate((region) => [
          region.scrollWidth,
          region.clientWidth,
        ]);
        assert.equal(widths[0], widths[1], `${name} of ${type}`);
      }
      await page.context().close();
    }
  });

  await t.step("a type that a pattern stands for has a page of its own, and so has the pattern", async () => {
    const { html } = await get("/webhook.invoice.paid");
    assert.match(html, /value="webhook\.invoice\.paid"/);
    assert.match(html, /Of all types that <code>webhook\.\*\.\*<\/code> stands for/);
    assert.match(html, /It cannot come until/);
    assert.match((await get("/webhook.*.*")).html, /value="webhook\.\*\.\*"/);
  });

  await t.step("is accessible, wide and narrow, light and dark, and light to load", async () => {
    const once = { themes: ["dark"], widths: [360] } as const;
    // Of the list a part: its entries are all alike, and there are nearly 500 of them.
    for (
      const [path, name, looks, mostScript] of [
        ["?source=device", "events", {}, 0],
        [`/${PR}`, "event", {}, SCRIPT_BUDGET],
        ["/webhook.*.*", "event-pattern", once, SCRIPT_BUDGET],
        ["/calendar.event.started", "event-off", once, SCRIPT_BUDGET],
      ] as const
    ) {
      const page = await dashboard.open(`/dashboard/events${path}`);
      await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
      await assertAccessible(page, looks);
      await screenshot(page, name);
      await page.context().close();
      const { script, style } = await weigh(dashboard, `/dashboard/events${path}`);
      assert.ok(script <= mostScript, `${path}: ${script} bytes of JavaScript`);
      assert.ok(style > 0 && style <= STYLE_BUDGET, `${path}: ${style} bytes of CSS`);
    }
  });
  dashboard.assertNoComplaints();
});

/** The text of a program that a page shows. */
function programOf(html: string, label: string): string {
  const [, text] = new RegExp(`aria-label="${label}"[^>]*><code>(.*?)</code>`, "s").exec(html) ?? [];
  return (text ?? assert.fail(label)).replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&amp;", "&");
}

/** Runs a program that is given on standard input until it has printed what `wanted` matches. */
async function runUntil(command: string, args: readonly string[], program: string, wanted: RegExp): Promise<void> {
  const process = new Deno.Command(command, {
    args: [...args],
    cwd: new URL("../", import.meta.url),
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  await new Blob([program]).stream().pipeTo(process.stdin);
  let said = "";
  let found = false;
  for await (const text of process.stdout.pipeThrough(new TextDecoderStream())) {
    said += text;
    if (found || !wanted.test(said)) continue;
    found = true;
    process.kill("SIGTERM");
  }
  await process.status;
  assert.ok(found, said);
}

Deno.test("the programs that a type's page shows take its events from the broker", async () => {
  const [amqpUrl, exchange] = [testAmqpUrl(), uniqueExchange()];
  const queue = `${exchange}.queue`;
  const connection = new Connection(amqpUrl);
  try {
    await using inlet = await InletProcess.start({ env: { AMQP_URL: amqpUrl, AMQP_EXCHANGE: exchange } });
    const webhookUrl = await inlet.enable(await inlet.setUp(), "github", { webhookSecret: PUSH_SECRET });
    const html = await (await fetch(`${inlet.url}/dashboard/events/github.star.created`)).text();
    assert.doesNotMatch(html, /no broker/);
    const shown = (label: string) =>
      programOf(html, label).replace("amqp://localhost", amqpUrl).replaceAll("github-star-created", queue);
    const programs = [
      runUntil(
        Deno.execPath(),
        ["run", "-A", "--ext=ts", "-"],
        shown("Consumer in TypeScript"),
        /^[\da-f-]{36} \{/m,
      ),
      // Python and pika are nothing that Inlet needs: where they are not to be had, there is nothing to try.
      ...await pikaIsPresent()
        ? [runUntil(PYTHON, ["-"], shown("Consumer in Python"), /^[\da-f-]{36} github\.star\.created$/m)]
        : [],
    ];
    // Whatever is sent before the queues are bound, nobody takes.
    const sending = new AbortController();
    const sent = (async () => {
      while (!sending.signal.aborted) {
        await deliver(webhookUrl, starDelivery());
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    })();
    await Promise.all(programs).finally(() => sending.abort());
    await sent;
  } finally {
    for (const name of ["", "-python", ".dead", ".retry.1000", ".retry.10000", ".retry.60000"]) {
      await connection.queueDelete({ queue: `${queue}${name}` });
    }
    await connection.close();
    await cleanUp(amqpUrl, exchange);
  }
});
