/** The page of the events that the broker did not take, by the real process in a real browser. */
import assert from "node:assert/strict";
import { createSealer } from "../server/crypto/seal.ts";
import { spoolStore } from "../server/store/spool.ts";
import { BrowsedPage } from "./support/browsing.ts";
import { assertAccessible } from "./support/dashboard.ts";
import { someEvent } from "./support/events.ts";
import { InletProcess } from "./support/inlet.ts";

const KEY = new Uint8Array(32).fill(9);
const env = { ENCRYPTION_KEY: KEY.toHex() };

/** Puts dead letters into the store of a service that is stopped. */
async function setAside(folder: string, workspaceId: string, reasons: readonly string[]): Promise<void> {
  using kv = await Deno.openKv(`${folder}/inlet.sqlite3`);
  const sealer = await createSealer(KEY);
  const spool = spoolStore(kv, { sealer, limitBytes: 1e9, dedupeWindowMs: 0, now: () => new Date() });
  for (const reason of reasons) {
    await spool.append([someEvent({ workspaceId })]);
    const claim = await spool.claim() ?? assert.fail();
    const [entry = assert.fail()] = await claim.oldest(workspaceId);
    await claim.settle([{ entry, left: [], dead: entry.events.map((event) => ({ event, reason })) }]);
    await claim.release();
  }
}

Deno.test("dead letters are shown with their reason, retried and discarded, without a script", async () => {
  const folder = await Deno.makeTempDir({ prefix: "inlet-test-" });
  try {
    const first = await InletProcess.start({ env, folder });
    const workspaceId = await first.setUp();
    await first.stop();
    await setAside(folder, workspaceId, ["the queue is full", `too odd ${"x".repeat(500)}</script>`]);
    await using inlet = await InletProcess.start({ env, folder });
    await using browsed = await BrowsedPage.open({ javaScriptEnabled: false });
    const { page } = browsed;
    await page.goto(`${inlet.url}/dashboard`);
    await page.getByText("The broker did not take 2 events").waitFor();
    await page.getByRole("link", { name: "To the dead letters" }).click();
    await page.getByText("the queue is full").waitFor();
    assert.equal(await page.locator("tbody tr").count(), 2);
    await page.getByRole("button", { name: /^Retry/ }).first().click();
    await page.getByText("The event is published again").waitFor();
    assert.equal(await page.locator("tbody tr").count(), 1);
    await page.getByText("Discard").first().click();
    await page.getByRole("button", { name: "For good" }).click();
    await page.getByText("The event was discarded").waitFor();
    await page.getByText("There are none").waitFor();
    await page.goto(`${inlet.url}/dashboard`);
    assert.equal(await page.getByText("The broker did not take").count(), 0);
    const unclear = await fetch(`${inlet.url}/dashboard/dead-letters`, {
      method: "POST",
      body: new URLSearchParams({ id: "x", action: "retry" }),
    });
    assert.equal(unclear.status, 422);
    await unclear.body?.cancel();
    assert.deepEqual(browsed.complaints, []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("all dead letters are retried at once, after a question, but for those that came since", async () => {
  const folder = await Deno.makeTempDir({ prefix: "inlet-test-" });
  try {
    const first = await InletProcess.start({ env, folder });
    const workspaceId = await first.setUp();
    await first.stop();
    const reasons = Array.from({ length: 60 }, (_, index) => `reason ${index}`);
    await setAside(folder, workspaceId, reasons);
    // Whatever is retried waits, for a broker that there is not.
    await using inlet = await InletProcess.start({ env: { ...env, AMQP_URL: "amqp://127.0.0.1:1" }, folder });
    await using browsed = await BrowsedPage.open({ javaScriptEnabled: false });
    const { page } = browsed;
    await page.goto(`${inlet.url}/dashboard/dead-letters`);
    await page.getByText("Retry all 60").click();
    const newest = page.locator("details input[name=id]");
    const [, second = ""] = await page.locator("tbody input[name=id]").evaluateAll((all) =>
      all.map((input) => input.getAttribute("value") ?? "")
    );
    // As if the newest had come after the page was opened.
    await newest.evaluate((input, id) => input.setAttribute("value", id), second);
    await page.getByRole("button", { name: "Retry them all" }).click();
    await page.getByText("59 events are published again").waitFor();
    assert.equal(await page.locator("tbody tr").count(), 1);
    assert.equal(await page.getByText("Retry all").count(), 0, "one is retried by its own button");
    await page.goto(`${inlet.url}/dashboard`);
    await page.getByText("59 events waiting for the broker").first().waitFor();
    await page.goto(`${inlet.url}/dashboard/audit`);
    await page.getByRole("cell", { name: "retried 59 dead letters" }).waitFor();
    assert.deepEqual(browsed.complaints, []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("the page of dead letters is accessible, wide and narrow, with the longest reason", async () => {
  const folder = await Deno.makeTempDir({ prefix: "inlet-test-" });
  try {
    const first = await InletProcess.start({ env, folder });
    const workspaceId = await first.setUp();
    await first.stop();
    await setAside(folder, workspaceId, ["the queue is full", "x".repeat(500)]);
    await using inlet = await InletProcess.start({ env, folder });
    await using browsed = await BrowsedPage.open();
    await browsed.page.goto(`${inlet.url}/dashboard/dead-letters`);
    await browsed.page.getByText("Retry all 2").click();
    await browsed.page.setViewportSize({ width: 360, height: 900 });
    const { x = 360, width = 0 } =
      await browsed.page.getByRole("button", { name: /^Retry .*-/ }).first().boundingBox() ??
        {};
    assert.ok(x + width < 360, `the button ends at ${x + width}`);
    await browsed.page.getByText("Discard").first().click();
    await assertAccessible(browsed.page);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
