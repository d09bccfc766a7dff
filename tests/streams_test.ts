/** Live streams of real processes: a client that stops reading, and events of another process. */
import { normalizedEventSchema } from "@inlet/events-core";
import assert from "node:assert/strict";
import { cleanUp, testAmqpUrl, uniqueExchange } from "./support/broker.ts";
import { InletProcess } from "./support/inlet.ts";
import { freePorts } from "./support/ports.ts";
import { sign } from "./support/sign.ts";
import { StreamClient } from "./support/streams.ts";

const SECRET = "a secret shared with GitHub";

/** An issue with a body of 10,000 characters, so that a few thousand of them fill every buffer on the way. */
function issue(number: number): RequestInit {
  const account = { id: 7, login: "mira", type: "User", html_url: "https://github.com/mira" };
  const body = JSON.stringify({
    action: "opened",
    issue: {
      id: 1000 + number,
      number,
      title: "The wheels turn backwards",
      body: "x".repeat(10_000),
      state: "open",
      html_url: `https://github.com/acme/rover/issues/${number}`,
      user: account,
      labels: [],
      assignees: [],
      created_at: "2026-01-02T03:04:05Z",
      updated_at: "2026-01-02T03:04:05Z",
    },
    repository: { id: 1, full_name: "acme/rover", private: false, html_url: "https://github.com/acme/rover" },
    sender: account,
  });
  const headers = {
    "content-type": "application/json",
    "x-github-event": "issues",
    "x-github-delivery": `issue-${number}`,
    "x-hub-signature-256": `sha256=${sign(SECRET, body)}`,
  };
  return { method: "POST", headers, body };
}

async function deliver(webhookUrl: string, number: number): Promise<void> {
  const response = await fetch(webhookUrl, issue(number));
  assert.equal(response.status, 200, await response.text());
}

Deno.test("a client that stops reading is dropped, while others get every event", async () => {
  await using inlet = await InletProcess.start();
  const workspaceId = await inlet.setUp();
  const webhookUrl = await inlet.enable(workspaceId, "github", { webhookSecret: SECRET });
  using stream = await StreamClient.open(inlet.url, workspaceId);
  const stuck = await Deno.connect({ hostname: "127.0.0.1", port: Number(new URL(inlet.url).port) });
  const request = `GET /events/stream?workspaceId=${workspaceId} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  await stuck.write(new TextEncoder().encode(request));
  await stuck.read(new Uint8Array(1));

  let sent = 0;
  while (!inlet.output.includes("its client does not read")) {
    assert.ok(sent < 5000, "50 MB were sent, and the client that does not read is still there");
    await Promise.all(Array.from({ length: 10 }, () => deliver(webhookUrl, sent++)));
  }
  const messages = await stream.until(sent);
  assert.equal(new Set(messages.map(({ id }) => id)).size, sent);
  stuck.close();
});

Deno.test("a stream shows what another process published, each event once", async () => {
  const amqpUrl = testAmqpUrl();
  const env = { AMQP_URL: amqpUrl, AMQP_EXCHANGE: uniqueExchange() };
  await using first = await InletProcess.start({ env });
  const workspaceId = await first.setUp();
  await first.enable(workspaceId, "github", { webhookSecret: SECRET });
  await using second = await InletProcess.start({ env, folder: first.folder });
  const path = new URL(await first.enable(workspaceId, "github", { webhookSecret: SECRET })).pathname;

  using here = await StreamClient.open(first.url, workspaceId);
  using there = await StreamClient.open(second.url, workspaceId);
  for (let number = 0; number < 40; number++) await deliver(`${(number % 2 ? first : second).url}${path}`, number);
  const subjects = async (stream: StreamClient) =>
    (await stream.until(40)).map(({ data }) => normalizedEventSchema.parse(JSON.parse(data)).subject.id).sort();
  assert.deepEqual(await subjects(here), await subjects(there));
  assert.equal(new Set(await subjects(here)).size, 40);
  await cleanUp(amqpUrl, env.AMQP_EXCHANGE);
});

Deno.test("a stream resumes after its last event across a restart, with what came meanwhile", async () => {
  const env = { PORT: String(freePorts(1)[0]) };
  const folder = await Deno.makeTempDir();
  try {
    const first = await InletProcess.start({ env, folder });
    const workspaceId = await first.setUp();
    const webhookUrl = await first.enable(workspaceId, "github", { webhookSecret: SECRET });
    using stream = await StreamClient.open(first.url, workspaceId);
    for (let number = 0; number < 3; number++) await deliver(webhookUrl, number);
    await stream.until(3);
    assert.equal((await first.stop()).code, 0);

    await using _second = await InletProcess.start({ env, folder });
    // The client connects again by itself, some time after these.
    for (let number = 3; number < 8; number++) await deliver(webhookUrl, number);
    const messages = await stream.until(8);
    const subjects = messages.map(({ data }) => normalizedEventSchema.parse(JSON.parse(data)).subject.id);
    assert.deepEqual(subjects, ["1000", "1001", "1002", "1003", "1004", "1005", "1006", "1007"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
