/** The real process: how it starts, keeps what it was told, refuses what it cannot do, and stops. */
import assert from "node:assert/strict";
import { keys } from "../server/store/keys.ts";
import { InletProcess } from "./support/inlet.ts";
import { freePorts } from "./support/ports.ts";
import { Scrape } from "./support/scrape.ts";
import { RawRequest } from "./support/raw_request.ts";
import { sign } from "./support/sign.ts";
import { StreamClient } from "./support/streams.ts";

const SECRET = "a secret shared with GitHub";
const STAR = JSON.stringify({
  action: "created",
  starred_at: "2026-01-02T03:04:05Z",
  repository: { id: 1, full_name: "acme/rover", private: false, html_url: "https://github.com/acme/rover" },
  sender: { id: 7, login: "mira", type: "User", html_url: "https://github.com/mira" },
});

function star(deliveryId: string, body: string = STAR) {
  const headers = {
    "content-type": "application/json",
    "x-github-event": "star",
    "x-github-delivery": deliveryId,
    "x-hub-signature-256": `sha256=${sign(SECRET, body)}`,
  };
  return { method: "POST", headers, body };
}

/** Settings under which a body of {@link LARGEST} bytes leaves no room for a second one. */
const ROOM_FOR_ONE = { BODY_MEMORY: "4096", MAX_BODY_BYTES: "3000" };
const LARGEST = 3000;

/** Resolves when a body of {@link LARGEST} bytes is under way: then it takes the room of others. */
async function untilUnderWay(webhookUrl: string): Promise<void> {
  for (let status = 401; status === 401;) {
    const response = await fetch(webhookUrl, { method: "POST", body: "x".repeat(2000) });
    await response.body?.cancel();
    status = response.status;
  }
}

async function failedStart(env: Record<string, string>, folder?: string): Promise<string> {
  await using inlet = await InletProcess.spawn({ env, folder });
  const { code, output } = await inlet.ended();
  assert.equal(code, 1);
  const lines = output.split("\n").filter((line) => line.startsWith("Cannot "));
  assert.equal(lines.length, 1, output);
  assert.doesNotMatch(output, /\n\s+at /, "no stack trace");
  return lines[0] ?? "";
}

Deno.test("with nothing configured it serves, says what it did, and keeps its files to itself", async () => {
  await using inlet = await InletProcess.start();
  assert.equal((await fetch(`${inlet.url}/readyz`)).status, 200);
  await inlet.printed("events reach only the live stream");
  await inlet.printed("made an encryption key in");
  const { mode } = await Deno.stat(`${inlet.folder}/encryption.key`);
  assert.equal((mode ?? 0) & 0o777, 0o600);
});

Deno.test("a stop while it starts ends it, too, in good order", async () => {
  // The start waits some time for a broker that does not answer.
  using silent = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  await using inlet = await InletProcess.spawn({ env: { AMQP_URL: `amqp://127.0.0.1:${silent.addr.port}` } });
  await inlet.printed("the store is");
  assert.equal((await inlet.stop()).code, 0);
});

Deno.test("LOG_FORMAT=json logs one JSON object a line, each delivery with its ids and outcome", async () => {
  await using inlet = await InletProcess.start({ env: { LOG_FORMAT: "json" } });
  const workspaceId = await inlet.setUp();
  const webhookUrl = await inlet.enable(workspaceId, "github", { webhookSecret: SECRET });
  await fetch(webhookUrl, star("d-1"));
  await fetch(webhookUrl, { ...star("d-2"), body: `${STAR} ` });
  const { output } = await inlet.stop();
  const lines = output.split("\n").filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
  const [accepted, refused] = lines.filter(({ logger }) => logger === "inlet.delivery").map(({ properties }) =>
    properties
  );
  assert.equal(accepted.deliveryId, "d-1");
  assert.equal(accepted.published, 1);
  assert.equal(accepted.unrouted, 1);
  assert.equal(accepted.workspaceId, workspaceId);
  assert.equal(refused.reason, "Invalid signature: mismatch");
});

Deno.test("a restart keeps workspace, settings, secrets and URL", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const port = String(freePorts(1)[0]);
    const first = await InletProcess.start({ folder, env: { PORT: port } });
    const workspaceId = await first.setUp();
    const webhookUrl = await first.enable(workspaceId, "github", { webhookSecret: SECRET });
    assert.equal((await first.stop()).code, 0);

    await using second = await InletProcess.start({ folder, env: { PORT: port } });
    const status = await (await fetch(`${second.url}/setup/status`)).json();
    assert.deepEqual(status, { setupComplete: true, workspaceId, hasActiveConnectors: true });
    const settings = await fetch(`${second.url}/connectors/github/config?workspaceId=${workspaceId}`);
    assert.deepEqual(await settings.json(), { enabled: true, hasSecrets: true, webhookUrl, config: {}, poller: null });
    assert.deepEqual(await (await fetch(webhookUrl, star("d-1"))).json(), { ok: true, published: 1 });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("another key than the store's is refused at the start, and so is none", async () => {
  const folder = await Deno.makeTempDir();
  try {
    assert.equal((await (await InletProcess.start({ folder })).stop()).code, 0);
    const key = btoa("x".repeat(32));
    assert.match(await failedStart({ ENCRYPTION_KEY: key }, folder), /is not the one that the store was written with/);
    await Deno.remove(`${folder}/encryption.key`);
    assert.match(await failedStart({}, folder), /neither ENCRYPTION_KEY is set nor is there a file/);
    await assert.rejects(Deno.stat(`${folder}/encryption.key`), Deno.errors.NotFound);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a start that cannot be says why on one line", async () => {
  assert.match(await failedStart({ PORT: "http" }), /^Cannot start: PORT is "http": expected a whole number/);
  assert.match(
    await failedStart({ ENCRYPTION_KEY: "too short" }),
    /^Cannot start: ENCRYPTION_KEY is not usable: expected 32 bytes/,
  );
  await using inlet = await InletProcess.start();
  assert.match(await failedStart({ PORT: new URL(inlet.url).port }), /^Cannot start: cannot listen on .* it is taken/);
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/inlet.sqlite3`, "this is not a database at all".repeat(100));
  assert.match(await failedStart({}, folder), /^Cannot open the store .*inlet\.sqlite3/);
  await Deno.remove(folder, { recursive: true });
});

for (
  const [LOG_FORMAT, reason] of [
    ["text", "TypeError: disk I/O error"],
    ["json", String.raw`\"TypeError: disk I/O error\""`],
  ] as const
) {
  Deno.test(`a disk that is full is no reason not to start, though something is left to delete, as the log says (${LOG_FORMAT})`, async () => {
    const folder = await Deno.makeTempDir();
    try {
      const kv = await Deno.openKv(`${folder}/inlet.sqlite3`);
      for (let removal = 0; removal < 30; removal++) {
        await kv.set(keys.workspaceRemoval(crypto.randomUUID()), Date.now());
      }
      kv.close();
      // No file may grow beyond 32 KiB: some commits are written, and then none.
      const script = `trap "" XFSZ; ulimit -f 64; exec "${Deno.execPath()}" run -A start.ts`;
      const env = { LOG_FORMAT };
      await using inlet = await InletProcess.start({ env, folder, program: "/bin/sh", command: ["-c", script] });
      await inlet.printed(`cannot delete what was left behind in the store: ${reason}`);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}

Deno.test("a log whose disk is full is no reason to end", async () => {
  const script = `exec "${Deno.execPath()}" run -A start.ts > /dev/full`;
  await using inlet = await InletProcess.start({ program: "/bin/sh", command: ["-c", script] });
  const workspaceId = await inlet.setUp();
  const webhookUrl = await inlet.enable(workspaceId, "github", { webhookSecret: SECRET });
  assert.deepEqual(await (await fetch(webhookUrl, star("d-1"))).json(), { ok: true, published: 1 });
  const { code, output } = await inlet.stop();
  assert.equal(code, 0, output);
});

Deno.test("arguments are refused, since settings are in the environment", async () => {
  await using inlet = await InletProcess.spawn({ command: ["task", "start", "--port", "3400"] });
  const { code, output } = await inlet.ended();
  assert.equal(code, 2);
  assert.ok(!output.includes("the store is"), "nothing was opened");
  assert.match(output, /Cannot start: --port is not known, settings are in the environment/);
});

Deno.test("a stop ends open streams, finishes what is under way and exits 0", async () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    await using inlet = await InletProcess.start({ env: ROOM_FOR_ONE });
    const workspaceId = await inlet.setUp();
    const webhookUrl = await inlet.enable(workspaceId, "github", { webhookSecret: SECRET });
    using stream = await StreamClient.open(inlet.url, workspaceId);
    await fetch(webhookUrl, star("d-0"));
    await stream.until(1);
    const { headers, body } = star("d-1", STAR.padEnd(LARGEST));
    using slow = await RawRequest.post(webhookUrl, { ...headers, "content-length": String(LARGEST) });
    const [first, rest] = [body.slice(0, 10), body.slice(10)].map((text) => new TextEncoder().encode(text));
    await slow.send(first ?? assert.fail());
    await untilUnderWay(webhookUrl);
    const ended = inlet.stop(signal);
    await inlet.printed("stopping");
    await slow.send(rest ?? assert.fail());
    assert.match((await slow.answer()).text, /^HTTP\/1\.1 200 [^]*\{"ok":true,"published":1\}$/);
    const { code, output } = await ended;
    assert.equal(code, 0, output);
  }
});

Deno.test("requests that do not end do not keep it from stopping", async () => {
  await using inlet = await InletProcess.start({ env: { ...ROOM_FOR_ONE, SHUTDOWN_TIMEOUT: "200ms" } });
  const workspaceId = await inlet.setUp();
  const webhookUrl = await inlet.enable(workspaceId, "github", { webhookSecret: SECRET });
  using request = await RawRequest.post(webhookUrl, { "content-length": String(LARGEST) });
  await request.send(new TextEncoder().encode("{"));
  await untilUnderWay(webhookUrl);
  const { code, output } = await inlet.stop();
  assert.equal(code, 0);
  assert.match(output, /requests under way were given up/);
});

Deno.test("main.ts is an entry for deno serve", async () => {
  const { tasks } = JSON.parse(await Deno.readTextFile(new URL("../deno.json", import.meta.url)));
  assert.match(tasks.start.command, /start\.ts$/);
  await using inlet = await InletProcess.start({ command: ["serve", "-A", "--port", "{port}", "main.ts"] });
  assert.match(await inlet.setUp(), /^[0-9a-f-]{36}$/);
});

Deno.test("main.ts registers the tick for every minute", async () => {
  const code = `
    const ticks = [];
    Object.defineProperty(Deno, "cron", { value: (_, when, tick) => ticks.push({ when, tick }) });
    const { default: inlet } = await import("./main.ts");
    for (const { when, tick } of ticks) console.log("ticked:", when, await tick());
    await inlet.drain();
    await inlet.close();
    Deno.exit(0);`;
  await using inlet = await InletProcess.spawn({ command: ["eval", code] });
  const { code: status, output } = await inlet.ended();
  assert.equal(status, 0, output);
  assert.deepEqual(output.match(/ticked: .*/g), ["ticked: * * * * * undefined"]);
});

Deno.test("HEAD is answered with what GET has before its body, and leaves no stream open", async () => {
  await using inlet = await InletProcess.start();
  const workspaceId = await inlet.setUp();
  const headOf = async (method: string, path: string) => {
    const response = await fetch(`${inlet.url}${path}`, { method });
    await response.body?.cancel();
    return [response.status, response.headers.get("content-type"), response.headers.get("content-length")];
  };
  const stream = `/events/stream?workspaceId=${workspaceId}`;
  for (const path of ["/connectors", "/nowhere", "/connectors/nothing", "/setup", "/dashboard/nowhere", stream]) {
    assert.deepEqual(await headOf("HEAD", path), await headOf("GET", path), path);
  }
  await Scrape.until(inlet.url, (scrape) => scrape.value("inlet_stream_clients") === 0);
});

Deno.test("a body over the limit is answered with 413, whether its length is declared or not", async () => {
  await using inlet = await InletProcess.start({ env: { MAX_BODY_BYTES: "1000000" } });
  const workspaceId = await inlet.setUp();
  const webhookUrl = await inlet.enable(workspaceId, "github", { webhookSecret: SECRET });
  const large = new Uint8Array(5_000_000);
  for (const body of [large, new Blob([large]).stream()]) {
    const response = await fetch(webhookUrl, { ...star("d-1"), body });
    assert.equal(response.status, 413);
    assert.equal((await response.json()).type, "urn:inlet:problem:body-too-large");
  }
  assert.deepEqual(await (await fetch(webhookUrl, star("d-2"))).json(), { ok: true, published: 1 });
});
