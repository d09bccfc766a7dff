/** The dashboard of the real process in a real browser. */
import { AxeBuilder } from "@axe-core/playwright";
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import type { Browser, BrowserContext, Page, Response } from "playwright-core";
import { launchChromium } from "./chromium.ts";
import { InletProcess } from "./inlet.ts";

/** Colours and sizes that every page is to be looked at in. */
const THEMES = ["light", "dark"] as const;
const WIDTHS = [360, 1440] as const;

/** How a page is looked at. Defaults: 1440 px wide, light, scripts run. */
export interface Looks {
  readonly width?: number;
  readonly theme?: "light" | "dark";
  readonly scripts?: boolean;
}

/** One service and one browser, for all steps of a test. */
export class DashboardBrowser implements AsyncDisposable {
  /** What pages complained about: console errors and warnings, exceptions, requests that failed. */
  readonly complaints: string[] = [];

  private constructor(readonly inlet: InletProcess, readonly browser: Browser) {}

  /** Starts both; `env` is the service's. */
  static async start({ env = {} }: { env?: Record<string, string> } = {}): Promise<DashboardBrowser> {
    const inlet = await InletProcess.start({ env });
    try {
      return new DashboardBrowser(inlet, await launchChromium());
    } catch (error) {
      await inlet[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Opens a page of the dashboard, such as `/dashboard`, in a context of its own. */
  async open(path: string, { width = 1440, theme = "light", scripts = true }: Looks = {}): Promise<Page> {
    const context = await this.browser.newContext({
      baseURL: this.inlet.url,
      viewport: { width, height: 900 },
      colorScheme: theme,
      javaScriptEnabled: scripts,
    });
    await allowClipboard(context, this.inlet.url);
    const page = await context.newPage();
    watch(page, this.complaints);
    await page.goto(path);
    return page;
  }

  /** Fails if a page has complained. */
  assertNoComplaints(): void {
    assert.deepEqual(this.complaints, []);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser.close();
    await this.inlet[Symbol.asyncDispose]();
  }
}

async function allowClipboard(context: BrowserContext, origin: string): Promise<void> {
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin });
}

function watch(page: Page, complaints: string[]): void {
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    // A page that says what is wrong has a status that says it too, which is no fault of the page.
    const ownStatus = message.location().url === page.url() && /status of 4\d\d/.test(message.text());
    if (!ownStatus) complaints.push(`${page.url()}: ${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`${page.url()}: ${error}`));
}

/** Checks the page with axe and for sideways scrolling; in light and dark, at 360 and 1440 px, unless it says otherwise. */
export async function assertAccessible(
  page: Page,
  { themes = THEMES, widths = WIDTHS }: {
    readonly themes?: readonly typeof THEMES[number][];
    readonly widths?: readonly number[];
  } = {},
): Promise<void> {
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      const where = `${page.url()} ${colorScheme} ${width} px`;
      // Legacy: only frames are seen less of, and we have none. Else each analysis opens a page more, which takes as long.
      const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
      const { violations } = await axe.analyze();
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
      assert.deepEqual(found, [], where);
      assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width, `${where} scrolls sideways`);
    }
  }
}

/** Takes the page in light and dark, at 360 and 1440 px, where the environment names a folder in `SCREENSHOTS`. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = Deno.env.get("SCREENSHOTS");
  if (folder === undefined) return;
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
  }
}

/** What a page costs, in bytes as gzip makes them. */
export interface PageWeight {
  readonly script: number;
  readonly style: number;
}

/** Weighs the scripts and styles that the dashboard's page at `path` loads. */
export async function weigh(dashboard: DashboardBrowser, path: string): Promise<PageWeight> {
  const page = await dashboard.open("about:blank");
  const bodies: Promise<{ isScript: boolean; bytes: number }>[] = [];
  const weighed = (response: Response) => {
    const type = response.headers()["content-type"] ?? "";
    if (!/javascript|css/.test(type)) return;
    bodies.push(response.body().then((body) => ({ isScript: !type.includes("css"), bytes: gzipSync(body).length })));
  };
  page.on("response", weighed);
  await page.goto(path, { waitUntil: "load" });
  await page.evaluate("new Promise((done) => requestIdleCallback(done))");
  // What came later would be cut off when the page closes.
  page.off("response", weighed);
  const weights = await Promise.all(bodies);
  await page.context().close();
  const sum = (isScript: boolean) =>
    weights.filter((weight) => weight.isScript === isScript).reduce((total, { bytes }) => total + bytes, 0);
  return { script: sum(true), style: sum(false) };
}
