/** The dashboard's pages for a source that is polled. */
import assert from "node:assert/strict";
import { App, type Snapshot, staticFiles } from "fresh";
import { PollError } from "../connectors/kit/mod.ts";
import type { State } from "../routes/(_shared)/define.ts";
import { launchChromium } from "./support/chromium.ts";
import { assertAccessible } from "./support/dashboard.ts";
import { closedGate, SAMPLE_PASSWORD, SampleSource } from "./support/sample_poller.ts";
import { TestService } from "./support/service.ts";

const THINGS = "/dashboard/connectors/things";
const SETUP = "/dashboard/setup/source/things";

/** The pages of a service whose one source is `source`. */
async function pagesOf(source: SampleSource) {
  const service = await TestService.start({ connectors: [source.connector()], now: () => new Date() });
  const { default: snapshot }: { default: Snapshot } = await import("../_fresh/snapshot.js");
  const answer = new App<State>()
    .use((ctx) => {
      ctx.state.dashboard = service.dashboard;
      return ctx.next();
    })
    .use(staticFiles())
    .fsRoutes()
    .applySnapshot(snapshot)
    .handler();
  const read = async (request: Request) => {
    const response = await answer(request);
    return { status: response.status, location: response.headers.get("location"), html: await response.text() };
  };
  return {
    service,
    workspaceId: await service.setUp(),
    get: (path: string) => read(new Request(`http://localhost${path}`)),
    post: (path: string, form: Record<string, string>) =>
      read(new Request(`http://localhost${path}`, { method: "POST", body: new URLSearchParams(form) })),
    /** The pages, and the live stream that they listen to. */
    fetch: async (request: Request) => {
      const { pathname, search } = new URL(request.url);
      return pathname === "/events/stream" ? await service.app.request(pathname + search) : await answer(request);
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

Deno.test("a poller's page has no webhook URL, and polls instead of sending a test event", async () => {
  const source = new SampleSource();
  await using pages = await pagesOf(source);
  const before = (await pages.get(THINGS)).html;
  assert.doesNotMatch(before, /[Ww]ebhook URL|test event|Last deliveries|Poll now/);
  assert.match(before, /None yet.*Read to its end.*Not yet.*None while it is off.*Turn Things on first/s);
  assert.match(before, /id="config-schedule"/);
  const refused = await pages.post(THINGS, { enabled: "on" });
  assert.match(refused.html, /<h1[^>]*>Things<span[^>]*>Off<.*None while it is off.*Turn Things on first/s);
  const saved = await pages.post(THINGS, { enabled: "on", "secrets.password": SAMPLE_PASSWORD });
  assert.equal(saved.location, `${THINGS}?done=saved`);
  const { html } = await pages.get(THINGS);
  assert.match(html, /Within a minute/);
  assert.doesNotMatch(html, /Make up a new one/);

  const first = await pages.post(THINGS, { intent: "poll" });
  assert.equal(first.location, `${THINGS}?done=polled&events=0`);
  assert.match(
    (await pages.get(first.location ?? "")).html,
    /Polled: nothing is new.*Read to its end<\/dt><dd><time.*Next poll.*(?:in \d|just now)/s,
  );
  source.things.push("a", "b");
  const second = await pages.post(THINGS, { intent: "poll" });
  assert.match((await pages.get(second.location ?? "")).html, /Polled: 2 events are new/);
  await pages.post(THINGS, { intent: "start-anew" });
  assert.deepEqual(source.cursors, [null, 0, null]);
});

Deno.test("a poller that fails says why on its page, in the list and on the overview, until it works", async () => {
  const source = new SampleSource();
  await using pages = await pagesOf(source);
  await pages.post(THINGS, { enabled: "on", "secrets.password": SAMPLE_PASSWORD });
  await pages.post(THINGS, { intent: "poll" });
  assert.doesNotMatch((await pages.get("/dashboard")).html, /Things is on|cannot be polled/, "nothing new is no fault");
  assert.doesNotMatch((await pages.get(THINGS)).html, /Not yet/);
  source.failure = new PollError(`Cannot log in: <b>${SAMPLE_PASSWORD}</b> is wrong`);
  const { status, html } = await pages.post(THINGS, { intent: "poll" });
  assert.equal(status, 502);
  assert.match(html, /The poll did not succeed/);
  const bodies = [html];
  for (
    const [path, title] of [[THINGS, "The last poll failed"], ["/dashboard/connectors", "Not polled"], [
      "/dashboard",
      "Things cannot be polled",
    ]] as const
  ) {
    const page = (await pages.get(path)).html;
    assert.match(page, new RegExp(`${title}.*Cannot log in: &lt;b>•••&lt;/b> is wrong`, "s"), path);
    bodies.push(page);
  }
  for (const body of bodies) assert.ok(!body.includes(SAMPLE_PASSWORD));
  source.failure = undefined;
  await pages.post(THINGS, { intent: "poll" });
  for (const path of [THINGS, "/dashboard/connectors", "/dashboard"]) {
    assert.doesNotMatch((await pages.get(path)).html, /Cannot log in/, path);
  }
});

Deno.test("the set-up of a poller asks for its secrets, makes none up, and polls at once", async () => {
  const source = new SampleSource();
  await using pages = await pagesOf(source);
  assert.equal((await pages.post("/dashboard/setup/source", { source: "things" })).location, SETUP);
  const connect = (await pages.get(SETUP)).html;
  assert.match(connect, /Save and poll Things/);
  assert.doesNotMatch(connect, /[Ww]ebhook URL|value="[0-9a-f]{64}"/);
  source.gate = new Promise(() => {});
  assert.equal((await pages.post(SETUP, { "secrets.password": SAMPLE_PASSWORD })).location, `${SETUP}/wait`);
  assert.match((await pages.get(`${SETUP}/wait`)).html, /Checking Things…/);
});

Deno.test("the last step of a poller's set-up says whether it answers, and shows its first event", async () => {
  const source = new SampleSource();
  await using pages = await pagesOf(source);
  const waiting = async () => (await pages.get(`${SETUP}/wait`)).html;
  source.failure = new PollError("Cannot log in: the password is wrong");
  // The answer does not wait for the poll that it starts: `idle` alone could come before it.
  const polled = new Promise((resolve) => source.onPoll = resolve);
  await pages.post(SETUP, { "secrets.password": SAMPLE_PASSWORD });
  await polled;
  await pages.service.scheduler.idle();
  assert.match(await waiting(), /Things cannot be polled.*the password is wrong/s);
  source.failure = undefined;
  assert.equal((await pages.post(`${SETUP}/wait`, {})).location, `${SETUP}/wait`);
  assert.match(await waiting(), /Things answers: the set-up is done/);
  source.things.push("a");
  await pages.post(`${SETUP}/wait`, {});
  assert.match(await waiting(), /The first event from Things is here/);
  assert.deepEqual(JSON.parse((await pages.get(`${SETUP}/status`)).html), { came: true, refusal: null, polled: true });
});

Deno.test("in a browser the set-up of a poller tells by itself when the source answers, and its pages are accessible", async () => {
  const source = new SampleSource();
  await using pages = await pagesOf(source);
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, pages.fetch);
  const browser = await launchChromium();
  try {
    const context = await browser.newContext({ baseURL: `http://127.0.0.1:${server.addr.port}` });
    const page = await context.newPage();
    const { gate, open } = closedGate();
    source.gate = gate;
    await page.goto(SETUP);
    await assertAccessible(page);
    await page.getByLabel("Password").fill(SAMPLE_PASSWORD);
    await page.getByRole("button", { name: "Save and poll Things" }).click();
    await page.getByText("Checking Things…").waitFor();
    open();
    await page.getByText("Things answers: the set-up is done").waitFor();
    await assertAccessible(page);
    source.failure = new PollError("Cannot log in: the password is wrong");
    await page.goto(THINGS);
    await page.getByRole("button", { name: "Poll now" }).click();
    await page.getByText("The last poll failed").waitFor();
    await assertAccessible(page);
  } finally {
    await browser.close();
  }
});
