/** The pages of the deliveries, as a browser without scripts gets them from the real service. */
import assert from "node:assert/strict";
import {
  BrowsedPage,
  deliver,
  pushDelivery,
  report,
  signedDelivery,
  starDelivery,
  startWithPushes,
  weigh,
} from "./support/browsing.ts";
import { assertAccessible } from "./support/dashboard.ts";
import { StreamClient } from "./support/streams.ts";

/** Reads a page as text without tags; the status is to be `status`. */
async function read(url: string, status = 200): Promise<string> {
  const response = await fetch(url, { headers: { accept: "text/html" } });
  const html = await response.text();
  assert.equal(response.status, status, html);
  assert.ok(!html.includes("<script"), "there is no script on the page");
  return html.replace(/<[^>]*>/g, " ").replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&amp;", "&");
}

const linksTo = async (url: string, pattern: RegExp) =>
  [...(await (await fetch(url)).text()).matchAll(/href="([^"]+)"/g)].map(([, href = ""]) =>
    href.replaceAll("&amp;", "&")
  )
    .filter((href) => pattern.test(href));

const detailLinks = (url: string) => linksTo(url, /^\/dashboard\/deliveries\/[^?]+$/);

Deno.test("the list says what arrived, newest first, and what became of it", async () => {
  const { inlet, webhookUrl } = await startWithPushes();
  await using _ = inlet;
  const url = `${inlet.url}/dashboard/deliveries`;
  assert.match(await read(url), /Nothing has arrived yet/);
  await deliver(webhookUrl, pushDelivery(["first", "second"]));
  await fetch(webhookUrl, { ...starDelivery(), body: "{}" });
  assert.match(
    await read(url),
    /GitHub\s+401\s+The header[^<]*\d+ ms\s+[\s\S]+200\s+2 ×\s+github\.\s+commit\.\s+pushed\s+\d+ ms/,
  );
  assert.match(await read(`${url}?connector=github`), /2 × /);
  assert.match(await read(`${url}?connector=other`), /Nothing that is still kept is like that/);
  for (const odd of ["?connector=%00", "?before=x", "?before=", `?connector=${"x".repeat(5000)}`, "?outcome=odd"]) {
    assert.match(await read(url + odd), /2 × /);
  }
});

Deno.test("a delivery is found by its id at the source or an event's, and those that were refused by that", async () => {
  const { inlet, webhookUrl } = await startWithPushes();
  await using _ = inlet;
  await deliver(webhookUrl, starDelivery());
  await deliver(webhookUrl, pushDelivery(["first", "second"], "the-id-at-the-source"));
  await fetch(webhookUrl, { ...starDelivery("refused-id"), body: "{}" });
  await using browsed = await BrowsedPage.open({ javaScriptEnabled: false });
  const { page } = browsed;
  await page.goto(`${inlet.url}/dashboard/deliveries`);
  const rows = page.locator("tbody tr");
  const paths = () => rows.getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  const show = async (id: string, outcome = "") => {
    await page.getByLabel("Id of a delivery or event").fill(id);
    await page.getByLabel("Outcome").selectOption(outcome);
    await page.getByRole("button", { name: "Show" }).click();
    await page.waitForURL(({ searchParams: asked }) => asked.get("id") === id && asked.get("outcome") === outcome);
    return await paths();
  };
  const [refused, push, star] = await paths();
  assert.ok(refused && push && star);
  assert.deepEqual(await show(" the-id-at-the-source "), [push]);
  await page.getByText("2 × github.commit.pushed").waitFor();
  await rows.getByRole("link").click();
  await page.waitForURL(`**${push}`);
  const eventId = await page.locator("[aria-labelledby=events] td:nth-child(2)").last().innerText();
  await page.goto(`${inlet.url}/dashboard/deliveries`);
  assert.deepEqual(await show(eventId), [push]);
  assert.deepEqual(await show("refused-id"), [refused]);
  assert.deepEqual(await show("no-such-id"), []);
  await page.getByText("Nothing that is still kept is like that").waitFor();
  assert.deepEqual(await show(""), [refused, push, star]);
  assert.deepEqual(await show("", "refused"), [refused]);
});

Deno.test("the list is paged by fifty, and no delivery is on two pages", async () => {
  const { inlet, webhookUrl } = await startWithPushes({ env: { LOG_LEVEL: "warning" } });
  await using _ = inlet;
  for (let count = 0; count < 120; count++) await deliver(webhookUrl, starDelivery());
  const seen: string[] = [];
  let next: string | undefined = "/dashboard/deliveries?connector=github";
  const sizes: number[] = [];
  while (next !== undefined) {
    const found = await detailLinks(inlet.url + next);
    sizes.push(found.length);
    seen.push(...found);
    [next] = await linksTo(inlet.url + next, /before=/);
    assert.ok(next === undefined || next.includes("connector=github"));
  }
  assert.deepEqual(sizes, [50, 50, 20]);
  assert.equal(new Set(seen).size, 120);
  assert.deepEqual(seen, seen.toSorted().reverse());
});

Deno.test("a delivery's page says why it was refused, and that it cannot be replayed", async () => {
  const { inlet, webhookUrl } = await startWithPushes();
  await using _ = inlet;
  await fetch(webhookUrl, { ...starDelivery(), body: "</script><b>hostile</b>" });
  const [path = assert.fail()] = await detailLinks(`${inlet.url}/dashboard/deliveries`);
  const text = await read(inlet.url + path);
  for (const told of ["Refused", "signature", "401", "23 bytes, not kept", "its body was not kept", "x-github-event"]) {
    assert.ok(text.includes(told), `${told} is not in ${text}`);
  }
  const response = await fetch(inlet.url + path, { method: "POST", body: new URLSearchParams(), redirect: "manual" });
  assert.equal(response.status, 409);
  await response.body?.cancel();
});

Deno.test("an unknown delivery has a page that says so", async () => {
  const { inlet } = await startWithPushes();
  await using _ = inlet;
  for (const id of ["0198f000-0000-7000-8000-000000000000", "x", "%00", "x".repeat(5000)]) {
    assert.match(await read(`${inlet.url}/dashboard/deliveries/${id}`, 404), /There is no such page/);
    const body = new URLSearchParams();
    const { status } = await fetch(`${inlet.url}/dashboard/deliveries/${id}`, { method: "POST", body });
    assert.equal(status, 404);
  }
});

Deno.test("a replay is seen before it publishes, says what it did, and keeps the events' ids", async () => {
  const { inlet, webhookUrl, workspaceId } = await startWithPushes();
  await using _ = inlet;
  await deliver(webhookUrl, pushDelivery(["</script> first", "second"]));
  using stream = await StreamClient.open(inlet.url, workspaceId);
  await using browsed = await BrowsedPage.open({ javaScriptEnabled: false });
  const { page } = browsed;
  await page.goto(`${inlet.url}/dashboard/deliveries`);
  await page.locator("tbody a").click();
  const ids = await page.locator("[aria-labelledby=events] td:nth-child(2)").allInnerTexts();
  assert.equal(ids.length, 2);

  await page.getByRole("link", { name: "Show what it would publish" }).click();
  assert.deepEqual(await page.locator("[aria-labelledby=replay] td:nth-child(2)").allInnerTexts(), ids);
  await page.locator("summary").first().click();
  await page.getByText('"</script> first"').first().waitFor();
  assert.equal(stream.messages.length, 0, "a preview publishes nothing");
  await page.getByRole("button", { name: "Publish 2 events" }).click();
  await page.getByText("Replayed: 2 events were published.").waitFor();
  assert.deepEqual((await stream.until(2)).map(({ id }) => id), ids);
  await page.reload();
  await page.goto(`${inlet.url}/dashboard/deliveries`);
  assert.equal(stream.messages.length, 2, "a reload publishes nothing");
});

Deno.test("a replay that is refused today says what is wrong with the body, and publishes nothing", async () => {
  const { inlet, webhookUrl } = await startWithPushes();
  await using _ = inlet;
  const body = '{"ref": 7}';
  const { status } = await fetch(webhookUrl, signedDelivery("push", "a-delivery", body));
  assert.equal(status, 422);
  const [path = assert.fail()] = await detailLinks(`${inlet.url}/dashboard/deliveries`);
  assert.match(await read(`${inlet.url}${path}?preview=1`), /settings it is refused[\s\S]+\/ref: /);
  assert.doesNotMatch(await read(`${inlet.url}${path}?preview=1`), /Publish \d/);
  const response = await fetch(inlet.url + path, { method: "POST", body: new URLSearchParams(), redirect: "manual" });
  assert.equal(response.status, 422);
  assert.match(await response.text(), /It could not be published/);
});

Deno.test("a replay says why it cannot be while the connector is disabled", async () => {
  const { inlet, webhookUrl, workspaceId } = await startWithPushes();
  await using _ = inlet;
  await deliver(webhookUrl, pushDelivery(["first"]));
  await inlet.post("/connectors/github/configure", { workspaceId, enabled: false, config: {}, secrets: {} });
  const [path = assert.fail()] = await detailLinks(`${inlet.url}/dashboard/deliveries`);
  for (const query of ["", "?preview=1"]) {
    assert.match(await read(inlet.url + path + query), /while the connector GitHub is disabled/);
  }
  const response = await fetch(inlet.url + path, { method: "POST", body: new URLSearchParams(), redirect: "manual" });
  assert.equal(response.status, 409);
  assert.match(await response.text(), /href="\/dashboard\/connectors\/github"/);
});

Deno.test("without kept deliveries the list says how to keep them", async () => {
  const { inlet, webhookUrl } = await startWithPushes({ env: { DELIVERY_RETENTION: "0" } });
  await using _ = inlet;
  await deliver(webhookUrl, pushDelivery(["first"]));
  assert.match(await read(`${inlet.url}/dashboard/deliveries`), /Deliveries are not kept[\s\S]+DELIVERY_RETENTION/);
});

Deno.test("the deliveries' pages are accessible and ship no script", async () => {
  const { inlet, webhookUrl } = await startWithPushes();
  await using _ = inlet;
  await using browsed = await BrowsedPage.open();
  const { page } = browsed;
  await page.goto(`${inlet.url}/dashboard/deliveries`);
  await assertAccessible(page);
  await fetch(webhookUrl, { ...starDelivery(), body: "{}" });
  const hostile = ["x".repeat(100_000), "\u202Eesrever", "</script><img src=x>"];
  await deliver(webhookUrl, pushDelivery(hostile, `${"delivery".repeat(50)}-</script>`));
  for (let count = 0; count < 50; count++) await deliver(webhookUrl, starDelivery());
  await page.goto(`${inlet.url}/dashboard/deliveries`);
  await assertAccessible(page);
  await page.getByRole("link", { name: "Older" }).click();
  const paths = await page.locator("tbody a").evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  assert.equal(paths.length, 2);
  for (const path of paths) {
    await page.goto(`${inlet.url}${path}?preview=1`);
    for (const summary of await page.locator("summary").all()) await summary.click();
    await assertAccessible(page);
    assert.equal(await page.locator("main img").count(), 0);
  }
  const { js, css } = await weigh(`${inlet.url}/dashboard/deliveries`);
  report(`deliveries: ${js} bytes of JavaScript and ${css} bytes of CSS, gzipped`);
  assert.equal(js, 0);
  assert.deepEqual(browsed.complaints, []);
});
