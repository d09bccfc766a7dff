/** What strangers may send to a real service, and what it costs: memory, and nothing of others' deliveries. */
import assert from "node:assert/strict";
import { InletProcess } from "./support/inlet.ts";
import { peakMemoryBytes } from "./support/processes.ts";
import { RawRequest } from "./support/raw_request.ts";
import { sign } from "./support/sign.ts";

const SECRET = "a secret shared with GitHub";
const MIB = 1024 * 1024;
const LARGE = new Uint8Array(25 * MIB).fill(0x20);
/** What docs/decisions.md promises for the default BODY_MEMORY. */
const MEMORY_BOUND_BYTES = 768 * MIB;
/** Bodies of those sizes take a busy machine longer than the half minute that is usual. */
const UNHURRIED = { BODY_TIMEOUT: "10m" };
const FORGED = { "x-github-event": "star", "x-hub-signature-256": `sha256=${"0".repeat(64)}` };

async function enabled(inlet: InletProcess): Promise<string> {
  const url = new URL(await inlet.enable(await inlet.setUp(), "github", { webhookSecret: SECRET }));
  url.hostname = "127.0.0.1";
  return url.href;
}

/** A delivery as GitHub makes it, with blanks after its JSON up to `bytes`. */
function star(bytes = 0): RequestInit {
  const body = JSON.stringify({
    action: "created",
    starred_at: "2026-03-02T15:17:36Z",
    repository: { id: 1, full_name: "acme/rover", private: false, html_url: "https://github.com/acme/rover" },
    sender: { id: 7, login: "mira", type: "User" },
  }).padEnd(bytes);
  const headers = {
    "content-type": "application/json",
    "x-github-event": "star",
    "x-github-delivery": crypto.randomUUID(),
    "x-hub-signature-256": `sha256=${sign(SECRET, body)}`,
  };
  return { method: "POST", headers, body };
}

async function sendLarge(url: string, headers: Record<string, string>): Promise<number | undefined> {
  using request = await RawRequest.post(url, { ...headers, "content-length": String(LARGE.length) });
  await request.send(LARGE);
  return (await request.answer()).status;
}

Deno.test("large bodies of strangers on 128 connections take a bounded memory, and small deliveries go on beside them", async () => {
  await using inlet = await InletProcess.start({ env: { ...UNHURRIED, LOG_LEVEL: "error" } });
  const url = await enabled(inlet);
  const unsigned = Array.from({ length: 64 }, () => sendLarge(url, {}));
  const forged = Array.from({ length: 64 }, () => sendLarge(url, FORGED));
  const strangers = Promise.all([Promise.all(unsigned), Promise.all(forged)]);
  let over = false;
  strangers.finally(() => over = true).catch(() => {});

  let delivered = 0;
  while (!over || delivered === 0) {
    const response = await fetch(url, star());
    assert.equal(response.status, 200, await response.text());
    delivered++;
    const large = await fetch(url, star(5 * MIB));
    const answer = await large.text();
    if (large.status !== 200) {
      assert.equal(large.status, 503, answer);
      assert.match(large.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
    }
  }
  const [unsignedStatuses, forgedStatuses] = await strangers;
  assert.deepEqual(new Set(unsignedStatuses), new Set([401]));
  for (const status of forgedStatuses) assert.ok(status === 401 || status === 503, String(status));
  assert.equal((await fetch(url, star(20 * MIB))).status, 200, "the room is given back");
  const peak = await peakMemoryBytes(inlet.folder, "start.ts");
  assert.ok(peak < MEMORY_BOUND_BYTES, `${Math.round(peak / MIB)} MiB`);
});

Deno.test("bodies that do not go on are given up, and hold nothing that others need", async () => {
  await using inlet = await InletProcess.start({ env: { BODY_TIMEOUT: "5s", BODY_MEMORY: String(64 * MIB) } });
  const url = await enabled(inlet);
  const head = { ...FORGED, "content-length": String(LARGE.length) };
  const stuck = await Promise.all(Array.from({ length: 64 }, () => RawRequest.post(url, head)));
  await Promise.all(stuck.map((request) => request.send(LARGE.subarray(0, 1000))));
  const large = await fetch(url, star(24 * MIB));
  // 408: a busy machine may take as long itself. Were there no room, the answer would be 503.
  assert.ok(large.status === 200 || large.status === 408, `what they declared is reserved: ${await large.text()}`);
  for (const request of stuck) {
    const { status, text } = await request.answer();
    assert.equal(status, 408, text);
    assert.match(text, /^connection: close\r$/im);
    request[Symbol.dispose]();
  }
});

Deno.test("a body sent byte by byte takes no more memory than its bytes", async () => {
  await using inlet = await InletProcess.start({ env: UNHURRIED });
  const url = await enabled(inlet);
  const before = await peakMemoryBytes(inlet.folder, "start.ts");
  using request = await RawRequest.post(url, { ...FORGED, "transfer-encoding": "chunked" });
  const pieces = new TextEncoder().encode("1\r\n \r\n".repeat(100_000));
  await request.send(pieces);
  await request.send(new TextEncoder().encode("0\r\n\r\n"));
  assert.equal((await request.answer()).status, 401);
  const grownBy = await peakMemoryBytes(inlet.folder, "start.ts") - before;
  assert.ok(grownBy < 100 * MIB, `${Math.round(grownBy / MIB)} MiB for 100 KB`);
});

for (
  const [what, headers, accepted] of [
    ["of 10 KB", { "x-long": "a".repeat(10_000) }, true],
    ["of 100 KB", { "x-long": "a".repeat(100_000) }, false],
    ["in 2,000 lines", Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`x-${index}`, "a"])), false],
  ] as const
) {
  Deno.test(`headers ${what} are ${accepted ? "read" : "refused by the server itself, which goes on"}`, async () => {
    await using inlet = await InletProcess.start();
    const url = await enabled(inlet);
    using request = await RawRequest.post(url, { ...headers, "content-length": "2" });
    await request.send(new TextEncoder().encode("{}"));
    const { status } = await request.answer();
    if (accepted) assert.equal(status, 401, "it came to the connector, unsigned");
    else assert.ok(status === undefined || status === 400 || status === 431, String(status));
    assert.equal((await fetch(url, star())).status, 200);
  });
}
