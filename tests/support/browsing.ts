/** What browser tests of the dashboard have in common. */
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { launchChromium } from "./chromium.ts";
import { InletProcess } from "./inlet.ts";
import { sign } from "./sign.ts";

/** The secret that {@link pushDelivery} signs with. */
export const PUSH_SECRET = "a secret shared with GitHub";

/** A page of a browser of its own, and everything that it complained about. */
export class BrowsedPage implements AsyncDisposable {
  /** Errors, warnings and failed requests. */
  readonly complaints: string[] = [];

  private constructor(readonly browser: Browser, readonly page: Page) {
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) this.complaints.push(message.text());
    });
    page.on("pageerror", (error) => this.complaints.push(String(error)));
  }

  /** Opens an empty page. */
  static async open(options: BrowserContextOptions = {}): Promise<BrowsedPage> {
    const browser = await launchChromium();
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    return new BrowsedPage(browser, await context.newPage());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser.close();
  }
}

/** What a page weighs: bytes of its scripts and of its styles, gzipped. */
export async function weigh(url: string): Promise<{ js: number; css: number }> {
  const html = await (await fetch(url)).text();
  const weightOf = async (paths: readonly string[]) => {
    const bodies = paths.map(async (path) => await (await fetch(new URL(path, url))).bytes());
    return (await Promise.all(bodies)).reduce((sum, body) => sum + gzipSync(body).length, 0);
  };
  const found = (pattern: RegExp) => [...new Set([...html.matchAll(pattern)].map(([, path = ""]) => path))];
  return {
    js: await weightOf(found(/(?:src|rel="modulepreload" href)="([^"]+\.js[^"]*)"/g)),
    css: await weightOf(found(/rel="stylesheet" href="([^"]+)"/g)),
  };
}

/** Prints what was measured. */
export function report(text: string): void {
  // deno-lint-ignore no-console -- numbers are to be seen in the output of the tests
  console.log(text);
}

/** A service that is set up and takes deliveries of {@link pushDelivery}. */
export async function startWithPushes(
  options: Parameters<typeof InletProcess.start>[0] = {},
): Promise<{ inlet: InletProcess; workspaceId: string; webhookUrl: string }> {
  const inlet = await InletProcess.start(options);
  const workspaceId = await inlet.setUp();
  const webhookUrl = await inlet.enable(workspaceId, "github", { webhookSecret: PUSH_SECRET });
  return { inlet, workspaceId, webhookUrl };
}

/** A signed push: one `github.commit.pushed` event for each message, in order. */
export function pushDelivery(messages: readonly string[], id: string = crypto.randomUUID()): RequestInit {
  const person = { name: "Mira", email: "mira@example.com", username: "mira" };
  const commits = messages.map((message, index) => ({
    id: sign(id, String(index)).slice(0, 40),
    message,
    url: "https://github.com/acme/rover/commit/1",
    timestamp: "2026-01-02T03:04:05Z",
    author: person,
    committer: person,
    distinct: true,
    added: ["src/wheels.ts"],
    removed: [],
    modified: [],
  }));
  return signedDelivery(
    "push",
    id,
    JSON.stringify({
      ref: "refs/heads/main",
      before: "4f0c9f6a1c5e0b7d2a93e8146bb0e7d5c2f1a683",
      after: "c81e07b4d93f5a26e0b7c4d18f6923a5e4d0b19c",
      created: false,
      deleted: false,
      forced: false,
      base_ref: null,
      compare: "https://github.com/acme/rover/compare/1...2",
      commits,
      head_commit: commits.at(-1),
      pusher: person,
      ...origin,
    }),
  );
}

/** A signed star: one `github.star.created` event. */
export function starDelivery(id: string = crypto.randomUUID()): RequestInit {
  const content = { action: "created", starred_at: "2026-01-02T03:04:05Z", ...origin };
  return signedDelivery("star", id, JSON.stringify(content));
}

const account = { id: 7, login: "mira", type: "User", html_url: "https://github.com/mira" };
const origin = {
  repository: { id: 1, full_name: "acme/rover", private: false, html_url: "https://github.com/acme/rover" },
  sender: account,
};

/** A signed delivery of the same source, with any body. */
export function signedDelivery(event: string, id: string, body: string): RequestInit {
  const headers = {
    "content-type": "application/json",
    "x-github-event": event,
    "x-github-delivery": id,
    "x-hub-signature-256": `sha256=${sign(PUSH_SECRET, body)}`,
  };
  return { method: "POST", headers, body };
}

/** Sends a delivery, which is to be accepted. */
export async function deliver(webhookUrl: string, delivery: RequestInit): Promise<void> {
  const response = await fetch(webhookUrl, delivery);
  assert.equal(response.status, 200, await response.text());
}
