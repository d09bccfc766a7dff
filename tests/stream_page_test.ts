/** The page of the live stream, in a real browser on the real service. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import {
  BrowsedPage,
  deliver,
  pushDelivery,
  report,
  starDelivery,
  startWithPushes,
  weigh,
} from "./support/browsing.ts";
import { assertAccessible } from "./support/dashboard.ts";
import { InletProcess } from "./support/inlet.ts";
import { freePorts } from "./support/ports.ts";

const rows = (page: Page) => page.locator("[role=option]");
const live = (page: Page) => page.waitForSelector("[data-connection=live]");
const came = (page: Page, count: number) => page.waitForSelector(`[data-came='${count}']`);
const waitingOf = (page: Page, count: string) => page.getByText(`${count} new waiting`).waitFor();

/** Opens the page with `query`, and resolves when it is connected. */
async function openStream(inlet: InletProcess, query = "", options = {}): Promise<BrowsedPage> {
  const browsed = await BrowsedPage.open(options);
  await browsed.page.goto(`${inlet.url}/dashboard/stream${query}`);
  await live(browsed.page);
  return browsed;
}

/** The rows' texts, from the top, when there are `count`. */
async function listed(page: Page, count: number): Promise<string[]> {
  await page.waitForFunction((count) => document.querySelectorAll("[role=option]").length === count, count);
  return (await rows(page).allInnerTexts()).map((text) => text.replace(/\s+/g, " "));
}

function assertOrder(texts: readonly string[], wanted: readonly string[]): void {
  assert.equal(texts.length, wanted.length, texts.join("\n"));
  wanted.forEach((part, index) => assert.ok(texts[index]?.includes(part), `${part} is not in row ${index}: ${texts}`));
}

Deno.test("the stream shows events as they come, newest first, and lets them wait while it is paused", async () => {
  const { inlet, webhookUrl } = await startWithPushes();
  await using _ = inlet;
  await using browsed = await openStream(inlet);
  const { page } = browsed;
  await page.getByText("Waiting for events").waitFor();
  await deliver(webhookUrl, pushDelivery(["first", "second"]));
  await deliver(webhookUrl, starDelivery());
  assertOrder(await listed(page, 3), ["github.star.created", "second", "first"]);

  await page.getByRole("button", { name: "Pause" }).click();
  await deliver(webhookUrl, pushDelivery(["third", "fourth"]));
  await waitingOf(page, "2");
  assertOrder(await listed(page, 3), ["github.star.created", "second", "first"]);
  await page.getByRole("button", { name: "Resume" }).click();
  assertOrder(await listed(page, 5), ["fourth", "third", "github.star.created", "second", "first"]);

  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByText("Waiting for events").waitFor();
  await deliver(webhookUrl, pushDelivery(["fifth"]));
  assertOrder(await listed(page, 1), ["fifth"]);
  assert.deepEqual(browsed.complaints, []);
});

Deno.test("the stream is filtered by type, source and text, and a reload keeps the filter", async () => {
  const { inlet, webhookUrl } = await startWithPushes();
  await using _ = inlet;
  await using browsed = await openStream(inlet);
  const { page } = browsed;
  await deliver(webhookUrl, pushDelivery(['Turn "left"', "Turn right"]));
  await deliver(webhookUrl, starDelivery());
  await listed(page, 3);

  await page.getByLabel("Type").fill("*.star.*");
  assertOrder(await listed(page, 1), ["github.star.created"]);
  await page.getByText("1 of 3 events match").waitFor();
  await page.getByLabel("Type").fill("github.com");
  assertOrder(await listed(page, 2), ["Turn right", "left"]);
  await page.getByLabel("Text").fill('"LEFT"');
  assertOrder(await listed(page, 1), ["left"]);
  await page.waitForURL(/\?type=github\.com&text=%22LEFT%22$/);

  await page.reload();
  await live(page);
  assert.equal(await page.getByLabel("Type").inputValue(), "github.com");
  await deliver(webhookUrl, pushDelivery(['now "left"', "now right"]));
  assertOrder(await listed(page, 1), ['now "left"']);

  await page.goto(`${inlet.url}/dashboard/stream?source=other`);
  await live(page);
  await deliver(webhookUrl, starDelivery());
  await page.getByText("No event matches the filter").waitFor();
  await page.getByLabel("Source").selectOption("github");
  assertOrder(await listed(page, 1), ["github.star.created"]);
  assert.deepEqual(browsed.complaints, []);
});

Deno.test("an event is opened, read and copied by keyboard alone", async () => {
  const { inlet, webhookUrl } = await startWithPushes();
  await using _ = inlet;
  await using browsed = await openStream(inlet, "", { permissions: ["clipboard-read", "clipboard-write"] });
  const { page } = browsed;
  await deliver(webhookUrl, pushDelivery(["first", "second", "third"]));
  await listed(page, 3);
  const copied = () => page.evaluate("navigator.clipboard.readText()").then(String);

  await page.getByLabel("Text").focus();
  for (const expected of ["Pause", "Clear"]) {
    await page.keyboard.press("Tab");
    assert.equal(await page.locator(":focus").innerText(), expected);
  }
  await page.keyboard.press("Tab");
  for (const key of ["ArrowDown", "ArrowDown", "End", "ArrowUp", "Enter"]) await page.keyboard.press(key);
  const heading = page.getByRole("heading", { name: "github.commit.pushed" });
  await page.waitForFunction(() => document.activeElement?.id === "event-heading");
  await heading.waitFor();
  assert.match(await page.getByRole("region", { name: "The event as JSON" }).innerText(), /"name": "second"/);

  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText("The event was copied").waitFor();
  const { subject } = JSON.parse(await copied());
  assert.equal(subject.name, "second");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText("The command was copied").waitFor();
  assert.match(await copied(), /^curl [\s\S]+\n\{"id":.+"second"/);

  await page.keyboard.press("Escape");
  await heading.waitFor({ state: "detached" });
  assert.equal(await page.locator(":focus").getAttribute("role"), "listbox");
  assert.deepEqual(browsed.complaints, []);
});

Deno.test("after a restart of the service the stream goes on where it was: nothing is missing, nothing twice", async () => {
  const env = { PORT: String(freePorts(1)[0]) };
  const folder = await Deno.makeTempDir({ prefix: "inlet-test-" });
  const { inlet, webhookUrl } = await startWithPushes({ env, folder });
  await using browsed = await openStream(inlet);
  const { page } = browsed;
  await deliver(webhookUrl, pushDelivery(["first", "second"], "a-delivery"));
  await listed(page, 2);
  await inlet.stop();
  await page.waitForSelector("[data-connection=reconnecting]");

  await using again = await InletProcess.start({ env, folder });
  // The browser connects again some time after these.
  await deliver(webhookUrl, pushDelivery(["third"]));
  await live(page);
  await deliver(webhookUrl, pushDelivery(["first", "second"], "a-delivery"));
  await deliver(webhookUrl, pushDelivery(["fourth"]));
  assertOrder(await listed(page, 4), ["fourth", "third", "second", "first"]);
  assert.equal(await page.locator("[data-gap]").count(), 0);
  await again.stop();
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a stream that the service cannot resume says of which time events are missing", async () => {
  const env = { PORT: String(freePorts(1)[0]), JOURNAL_RETENTION_COUNT: "1" };
  const folder = await Deno.makeTempDir({ prefix: "inlet-test-" });
  const { inlet, webhookUrl } = await startWithPushes({ env, folder });
  await using browsed = await openStream(inlet);
  const { page } = browsed;
  await deliver(webhookUrl, pushDelivery(["first"]));
  await listed(page, 1);
  await page.route("**/events/stream?*", (route) => route.abort());
  await inlet.stop();
  await page.waitForSelector("[data-connection=reconnecting]");

  await using again = await InletProcess.start({ env, folder });
  await deliver(webhookUrl, pushDelivery(["second", "third", "fourth"]));
  await page.unroute("**/events/stream?*");
  await page.getByText("the service no longer has all events of that time").waitFor();
  // What was written together is kept together.
  assertOrder(await listed(page, 4), ["fourth", "third", "second", "first"]);
  await again.stop();
  await Deno.remove(folder, { recursive: true });
});

Deno.test("the stream goes on after it was answered with an error", async () => {
  const { inlet, webhookUrl } = await startWithPushes();
  await using _ = inlet;
  await using browsed = await BrowsedPage.open();
  const { page } = browsed;
  await page.route("**/events/stream?*", (route) => route.fulfill({ status: 503, body: "away" }), { times: 1 });
  await page.goto(`${inlet.url}/dashboard/stream`);
  await page.waitForSelector("[data-connection=reconnecting]");
  await live(page);
  await deliver(webhookUrl, pushDelivery(["first"]));
  assertOrder(await listed(page, 1), ["first"]);
});

Deno.test("hostile events leave the stream's page usable", async () => {
  const { inlet, webhookUrl } = await startWithPushes();
  await using _ = inlet;
  await using browsed = await openStream(inlet);
  const { page } = browsed;
  const script = "</script><script>alert(1)</script><img src=x onerror=alert(1)>";
  const messages = [
    "x".repeat(1_000_000),
    "\u202Eesrever \u2066",
    `${script} 🚀 ${"\u0301".repeat(500)}`,
    "אבג".repeat(2000),
  ];
  await deliver(webhookUrl, pushDelivery(messages));
  await listed(page, 4);
  for (const [index, part] of ["אבג", script, "\\u202eesrever", "xxx"].entries()) {
    await rows(page).nth(index).click();
    await page.getByRole("region", { name: "The event as JSON" }).getByText(part).first().waitFor();
  }
  await page.getByText("characters more, see the copy").first().waitFor();
  assert.equal(await page.locator("main img, main script:not([type])").count(), 0);
  await assertAccessible(page);
  assert.deepEqual(browsed.complaints, []);
});

Deno.test("the stream's page is accessible, light and tells those without JavaScript what to do", async () => {
  const { inlet, webhookUrl, workspaceId } = await startWithPushes();
  await using _ = inlet;
  await using browsed = await openStream(inlet);
  await assertAccessible(browsed.page);
  await deliver(webhookUrl, pushDelivery(Array.from({ length: 60 }, (_, index) => `change ${index}`)));
  await came(browsed.page, 60);
  await browsed.page.getByRole("button", { name: "Pause" }).click();
  await deliver(webhookUrl, starDelivery());
  await waitingOf(browsed.page, "1");
  await rows(browsed.page).nth(1).click();
  await browsed.page.getByRole("heading", { name: "github.commit.pushed" }).waitFor();
  await assertAccessible(browsed.page);
  assert.deepEqual(browsed.complaints, []);

  await using plain = await BrowsedPage.open({ javaScriptEnabled: false });
  await plain.page.goto(`${inlet.url}/dashboard/stream`);
  const told = await plain.page.locator("main").innerText();
  assert.ok(told.includes(`curl -N '${inlet.url}/events/stream?workspaceId=${workspaceId}'`), told);
  assert.ok(await plain.page.locator("main a[href='/dashboard/deliveries']").isVisible());

  const { js, css } = await weigh(`${inlet.url}/dashboard/stream`);
  report(`stream page: ${js} bytes of JavaScript and ${css} bytes of CSS, gzipped`);
  assert.ok(js <= 25 * 1024 && css <= 15 * 1024);
});

/** How long the load lasts; 60 to see that memory is bounded over a longer time. */
const LOAD_SECONDS = Number(Deno.env.get("STREAM_LOAD_SECONDS") ?? 10);
const BATCH = 50;
const PER_SECOND = 1000;

/** Makes {@link PER_SECOND} events a second for {@link LOAD_SECONDS}, and gives their number. */
async function load(webhookUrl: string): Promise<number> {
  const batches = LOAD_SECONDS * PER_SECOND / BATCH;
  const start = performance.now();
  for (let batch = 0; batch < batches; batch++) {
    const early = start + batch * BATCH * 1000 / PER_SECOND - performance.now();
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
    await deliver(webhookUrl, pushDelivery(Array.from({ length: BATCH }, (_, index) => `change ${batch}.${index}`)));
  }
  return batches * BATCH;
}

/** Watches a page's frames, long tasks and answers to clicks, from now on. */
const WATCH = `window.seen = { frames: [], long: [], clicks: [] };
  new PerformanceObserver((list) => seen.long.push(...list.getEntries().map((entry) => entry.duration)))
    .observe({ type: "longtask" });
  new PerformanceObserver((list) => seen.clicks.push(...list.getEntries().map((entry) => entry.duration)))
    .observe({ type: "event", durationThreshold: 16 });
  let last = performance.now();
  requestAnimationFrame(function frame(now) {
    seen.frames.push(now - last);
    last = now;
    requestAnimationFrame(frame);
  });`;

const REPORT = `(() => {
  const frames = seen.frames.sort((a, b) => a - b);
  const at = (share) => Math.round(frames[Math.floor(frames.length * share)]);
  return "frames: " + frames.length + ", median " + at(0.5) + " ms, 99 % " + at(0.99) + " ms, longest " + at(0.9999) +
    " ms; long tasks: " + seen.long.length + ", longest " + Math.round(Math.max(0, ...seen.long)) +
    " ms; slowest answer to a click: " + Math.round(Math.max(0, ...seen.clicks)) + " ms";
})()`;

Deno.test(`the tab answers and its memory is bounded at 1,000 events a second for ${LOAD_SECONDS} s`, async () => {
  const { inlet, webhookUrl } = await startWithPushes({ env: { LOG_LEVEL: "warning" } });
  await using _ = inlet;
  await using browsed = await openStream(inlet);
  const { page } = browsed;
  const cdp = await page.context().newCDPSession(page);
  const heap = async () => {
    await cdp.send("HeapProfiler.collectGarbage");
    const { metrics } = await cdp.send("Performance.getMetrics");
    return Math.round((metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? 0) / 2 ** 20);
  };
  await cdp.send("Performance.enable");
  const before = await heap();
  await page.evaluate(WATCH);

  const end = Promise.withResolvers<undefined>();
  let answered = 0;
  const clicking = (async () => {
    while (await Promise.race([end.promise, "goes on"]) !== undefined) {
      await page.getByRole("button", { name: "Pause" }).click();
      await page.getByRole("button", { name: "Resume" }).click();
      await rows(page).first().dispatchEvent("click");
      answered++;
    }
  })();
  const [sent] = await Promise.all([load(webhookUrl).then((sent) => (end.resolve(undefined), sent)), clicking]);
  await came(page, sent);
  const after = await heap();
  report(`${sent} events in ${LOAD_SECONDS} s: ${await page.evaluate(REPORT)}`);
  report(
    `JavaScript heap: ${before} MiB before, ${after} MiB after; paused and resumed ${answered} times meanwhile`,
  );
  assert.ok(answered > 3);
  assert.ok(await rows(page).count() < 60, "only the rows in sight are rendered");
  await page.getByText(`1,000 events, ${(sent - 1000).toLocaleString("en")} older dropped`).waitFor();
  assert.ok(after < before + 24, `the heap grew from ${before} to ${after} MiB`);
  await page.waitForSelector("[data-connection=live]");
  assert.deepEqual(browsed.complaints, []);
});
