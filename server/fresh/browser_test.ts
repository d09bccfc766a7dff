import assert from "node:assert/strict";
import { App, staticFiles } from "fresh";
import { Builder } from "fresh/dev";
import type { Page } from "playwright-core";
import { launchChromium } from "../../tests/support/chromium.ts";
import { TestSite } from "./testing.ts";

const SITE = {
  "routes/_app.tsx": `import { asset } from "fresh/runtime";
    export default ({ Component, config }) => <html lang="en"><head><meta charset="utf-8" /><title>T</title>
      <link rel="icon" href={config.basePath + asset("/icon.svg")} /></head><body><Component /></body></html>;`,
  "routes/index.tsx":
    `import { useSignal } from "@preact/signals"; import Counter, { Double, Outer } from "../islands/Counter.tsx";
    export default () => {
      const count = useSignal(3);
      return <main><Counter count={count} label={"</script><!--\\u2028&lt;"} since={new Date(7)} />
        <p>static</p><Double count={count} /><table><tbody><Outer count={count} /></tbody></table></main>;
    };`,
  "routes/plain.tsx": `export default () => <p>plain</p>;`,
  "islands/Counter.tsx":
    `import type { Signal } from "@preact/signals"; import { useEffect, useState } from "preact/hooks";
    import { asset, IS_BROWSER } from "fresh/runtime";
    export default function Counter({ count, label, since }: { count: Signal<number>; label: string; since: Date }) {
      const [ready, setReady] = useState(false);
      useEffect(() => setReady(IS_BROWSER), []);
      return <button id="counter" type="button" data-ready={ready} data-since={since.getTime()} title={asset("/a")}
        onClick={() => count.value++}>{label} {count}</button>;
    }
    export function Double({ count }: { count: Signal<number> }) { return <>{count.value > 3 && <i>more</i>}<b id="double">{count.value * 2}</b></>; }
    export function Outer({ count }: { count: Signal<number> }) { return <tr><td><Double count={count} /></td></tr>; }`,
  "static/icon.svg": `<svg xmlns="http://www.w3.org/2000/svg"/>`,
};

/** Notes everything that a page complains about, and what it fetches. */
function watch(page: Page): { complaints: string[]; fetched: string[] } {
  const noted = { complaints: new Array<string>(), fetched: new Array<string>() };
  page.on("console", (message) => noted.complaints.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => noted.complaints.push(String(error)));
  page.on("request", (request) => noted.fetched.push(new URL(request.url()).pathname));
  page.on("requestfailed", (request) => noted.complaints.push(`failed: ${request.url()}`));
  return noted;
}

async function withSite(run: (origin: string, page: Page) => Promise<void>) {
  await using site = await TestSite.create(SITE);
  await new Builder({ root: site.root }).build();
  const app = new App({ basePath: "/base" })
    .use(async (ctx) => {
      const response = await ctx.next();
      response.headers.set("content-security-policy", "default-src 'self'");
      return response;
    })
    .use(staticFiles()).fsRoutes().applySnapshot(await site.load());
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, app.handler());
  const browser = await launchChromium();
  try {
    await run(`http://127.0.0.1:${server.addr.port}/base`, await browser.newPage());
  } finally {
    await browser.close();
    await server.shutdown();
  }
}

Deno.test("islands hydrate in Chromium under default-src 'self', and share their signal", async () => {
  await withSite(async (origin, page) => {
    const { complaints, fetched } = watch(page);
    await page.goto(origin);
    const before = await page.locator("main").innerText();
    await page.waitForSelector("#counter[data-ready=true]");
    assert.equal(await page.locator("main").innerText(), before, "hydration changes nothing that is seen");
    assert.equal(await page.locator("#counter").innerText(), "</script><!--\u2028&lt; 3");
    assert.equal(await page.locator("#counter").getAttribute("data-since"), "7");
    assert.match(await page.locator("#counter").getAttribute("title") ?? "", /^\/a\?__frsh_c=\w+$/);
    await page.click("#counter");
    await page.click("#counter");
    assert.match(await page.locator("#counter").innerText(), / 5$/);
    assert.deepEqual(await page.locator("#double").allInnerTexts(), ["10", "10"]);
    assert.deepEqual(await page.locator("main > *").evaluateAll((nodes) => nodes.map((node) => node.localName)), [
      "button",
      "p",
      "i",
      "b",
      "table",
    ]);
    assert.equal(new Set(fetched).size, fetched.length, "nothing is fetched twice");
    assert.deepEqual(complaints, []);
  });
});

Deno.test("a page without islands fetches no script in Chromium", async () => {
  await withSite(async (origin, page) => {
    const { complaints, fetched } = watch(page);
    await page.goto(`${origin}/plain`, { waitUntil: "networkidle" });
    assert.deepEqual(fetched.filter((path) => path.includes(".js")), []);
    assert.deepEqual(complaints, []);
  });
});
