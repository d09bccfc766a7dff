/** Two real processes on one store and one broker: what they do together, and what one does when the other is killed. */
import assert from "node:assert/strict";
import { z } from "zod";
import { ForeignConsumer, testAmqpUrl, uniqueExchange } from "./support/broker.ts";
import { InletProcess } from "./support/inlet.ts";
import { answerOf, idsIn, LANE_SECRET, Lanes, namesIn, numberedDelivery } from "./support/lanes.ts";
import { sign } from "./support/sign.ts";
import { StreamClient } from "./support/streams.ts";

/** The service itself and not a task around it, so that a kill hits it; SIGUSR2 sets its clock. */
const SERVICE = ["run", "-A", "--preload=scripts/chaos/shifted_clock.ts", "start.ts"];
const ADMIN_TOKEN = "the-admin-token-of-a-test";
const AUTHORIZED = { authorization: `Bearer ${ADMIN_TOKEN}` };

const OTHER_SECRET = "another secret shared with GitHub";

interface Pair {
  readonly first: InletProcess;
  readonly second: InletProcess;
  readonly workspaceId: string;
  /** Of the webhook URL, at either. */
  readonly path: string;
  readonly consumer: ForeignConsumer;
}

async function withPair(run: (pair: Pair) => Promise<void>): Promise<void> {
  const amqpUrl = testAmqpUrl();
  const exchange = uniqueExchange();
  const env = { AMQP_URL: amqpUrl, AMQP_EXCHANGE: exchange, ADMIN_TOKEN };
  await using consumer = await ForeignConsumer.bind(amqpUrl, exchange);
  await using first = await InletProcess.start({ command: SERVICE, env });
  const workspaceId = await first.setUp();
  const path = new URL(await first.enable(workspaceId, "github", { webhookSecret: LANE_SECRET })).pathname;
  await using second = await InletProcess.start({ command: SERVICE, env, folder: first.folder });
  await run({ first, second, workspaceId, path, consumer });
}

/** Resolves when every name has come to the consumer; gives all that came, in the order in which they came first. */
async function untilConsumed(consumer: ForeignConsumer, names: readonly string[]): Promise<string[]> {
  while (!holdsAll(namesIn(consumer.messages), names)) await consumer.until(consumer.messages.length + 1);
  return namesIn(consumer.messages);
}

const nameOf = ({ data }: { readonly data: string }) =>
  z.object({ subject: z.object({ name: z.string() }) }).parse(JSON.parse(data)).subject.name;
const namesOn = ({ messages }: StreamClient) => messages.map(nameOf);

/** Resolves when every name was on the stream, and asserts that none came twice. */
async function untilShown(stream: StreamClient, names: readonly string[]): Promise<void> {
  while (!holdsAll(namesOn(stream), names)) await stream.until(stream.messages.length + 1);
  assertOnce(stream);
}

function assertOnce({ messages }: StreamClient): void {
  assert.equal(new Set(messages.map(({ id }) => id)).size, messages.length, "no event is on a stream twice");
}

function holdsAll(all: readonly string[], wanted: readonly string[]): boolean {
  const there = new Set(all);
  return wanted.every((name) => there.has(name));
}

/** Each lane sent its next delivery when the last was accepted, to one process and then the other. */
function assertInOrder(consumed: readonly string[], lanes: Lanes): void {
  for (const [lane, accepted] of lanes.accepted.entries()) {
    const inOrder = consumed.filter((name) => name.startsWith(`${lane}/`)).slice(0, accepted.length);
    assert.deepEqual(inOrder, accepted);
  }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!await holds()) await new Promise((resolve) => setTimeout(resolve, 50));
}

Deno.test("two processes take deliveries side by side: each event once, in order, on the streams of both", () =>
  withPair(async ({ first, second, workspaceId, path, consumer }) => {
    using here = await StreamClient.open(first.url, workspaceId, AUTHORIZED);
    using there = await StreamClient.open(second.url, workspaceId, AUTHORIZED);
    const urls = [`${first.url}${path}`, `${second.url}${path}`];
    const lanes = new Lanes(urls, 6);
    await lanes.until(200, 120);
    const copies = Array.from({ length: 10 }, (_, number) => `9/${number}`);
    for (const number of copies.keys()) {
      const answers = await Promise.all(urls.map((url) => answerOf(url, numberedDelivery(9, number))));
      for (const { status } of answers) assert.equal(status, 200);
    }
    await lanes.stop();
    const names = [...lanes.accepted.flat(), ...copies];
    assertInOrder(await untilConsumed(consumer, names), lanes);
    assert.equal(idsIn(consumer.messages).length, names.length);
    await Promise.all([untilShown(here, names), untilShown(there, names)]);
    assert.deepEqual(namesOn(here).sort(), namesOn(there).sort());
  }));

Deno.test("what is changed at one process holds at the other: settings, keys, streams, and the end of a workspace", () =>
  withPair(async ({ first, second, workspaceId, path }) => {
    let number = 0;
    const statusAt = async (at: string, secret = LANE_SECRET) => {
      const { body, ...delivery } = numberedDelivery(0, number++);
      const headers = new Headers(delivery.headers);
      headers.set("x-hub-signature-256", `sha256=${sign(secret, String(body))}`);
      const response = await fetch(`${second.url}${at}`, { ...delivery, headers, body: String(body) });
      await response.body?.cancel();
      return response.status;
    };
    const configure = (change: Record<string, unknown>) =>
      first.post("/connectors/github/configure", { workspaceId, ...change });
    assert.equal(await statusAt(path), 200);
    await configure({ enabled: false });
    await until(async () => await statusAt(path) === 404);
    await configure({ enabled: true, secrets: { webhookSecret: OTHER_SECRET } });
    const renewed = z.object({ webhookUrl: z.string() })
      .parse(await first.post("/connectors/github/renew-url", { workspaceId }));
    const renewedPath = new URL(renewed.webhookUrl).pathname;
    await until(async () => await statusAt(renewedPath, OTHER_SECRET) === 200);
    assert.equal(await statusAt(renewedPath), 401, "the old secret is void");
    assert.equal(await statusAt(path, OTHER_SECRET), 404, "the old URL is void");

    const keySchema = z.object({ id: z.string(), secret: z.string() });
    const key = keySchema.parse(await first.post(`/workspaces/${workspaceId}/keys`, { name: "k", scope: "read" }));
    const streamAs = (secret: string) =>
      fetch(`${second.url}/events/stream?workspaceId=${workspaceId}`, {
        headers: { authorization: `Bearer ${secret}` },
      });
    const [ofKey, ofAdmin] = [await streamAs(key.secret), await streamAs(ADMIN_TOKEN)];
    assert.equal(ofKey.status, 200);
    await (await first.ask(`/workspaces/${workspaceId}/keys/${key.id}`, { method: "DELETE" })).body?.cancel();
    const refused = await streamAs(key.secret);
    assert.equal(refused.status, 401, "at once");
    await refused.body?.cancel();
    await ofKey.text();

    await (await first.ask(`/workspaces/${workspaceId}`, { method: "DELETE" })).body?.cancel();
    await until(async () => await statusAt(renewedPath, OTHER_SECRET) === 404);
    await ofAdmin.text();
  }));

Deno.test("one of two is killed under load: what was accepted arrives, and is on the streams of both", () =>
  withPair(async ({ first, second, workspaceId, path, consumer }) => {
    using here = await StreamClient.open(first.url, workspaceId, AUTHORIZED);
    using there = await StreamClient.open(second.url, workspaceId, AUTHORIZED);
    const lanes = new Lanes([`${first.url}${path}`, `${second.url}${path}`], 12);
    await lanes.until(200, 200);
    await untilShown(here, lanes.accepted.flat().slice(0, 1));
    await first.stop("SIGKILL");
    here[Symbol.dispose]();
    const lastEventId = here.messages.at(-1)?.id ?? assert.fail();
    const headers = { ...AUTHORIZED, "last-event-id": lastEventId };
    using resumed = await StreamClient.open(second.url, workspaceId, headers);
    await lanes.until(200, 100);
    await lanes.stop();
    const names = lanes.accepted.flat();
    assertInOrder(await untilConsumed(consumer, names), lanes);
    await untilShown(there, names);
    const shown = new Set(namesOn(here));
    await untilShown(resumed, names.filter((name) => !shown.has(name)));
    assertOnce(here);
  }));

/** A calendar feed that keeps whoever asks waiting while it is held. */
class Feed implements AsyncDisposable {
  /** Summaries of its entries. */
  readonly entries: string[] = [];
  /** Whoever asks meanwhile waits until this resolves. */
  held = Promise.withResolvers<void>();
  #asked: () => void = () => {};
  readonly #server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async () => {
    this.#asked();
    await this.held.promise;
    const lines = this.entries.flatMap((summary) => [
      "BEGIN:VEVENT",
      `UID:${summary}`,
      "DTSTAMP:20260101T000000Z",
      "DTSTART:20990101T000000Z",
      `SUMMARY:${summary}`,
      "END:VEVENT",
    ]);
    const text = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Inlet//Tests//EN", ...lines, "END:VCALENDAR", ""];
    return new Response(text.join("\r\n"), { headers: { "content-type": "text/calendar" } });
  });

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}/feed.ics`;
  }

  /** Resolves when it is asked next. */
  asked(): Promise<void> {
    return new Promise((resolve) => this.#asked = resolve);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.held.resolve();
    await this.#server.shutdown();
  }
}

Deno.test("a source is polled by one process at a time, and by the other when that one is killed", () =>
  withPair(async ({ first, second, workspaceId, consumer }) => {
    await using feed = new Feed();
    feed.held.resolve();
    const tryPoll = async (inlet: InletProcess) => {
      const answer = await inlet.post("/connectors/calendar/poll", { workspaceId });
      return z.object({ status: z.int(), detail: z.string() }).parse(answer);
    };
    const config = { url: feed.url, schedule: "0 0 1 1 *" };
    await first.post("/connectors/calendar/configure", { workspaceId, enabled: true, config });
    assert.equal(await first.poll(workspaceId, "calendar"), 0, "what is there already is history");

    feed.entries.push("Review");
    feed.held = Promise.withResolvers();
    const asked = feed.asked();
    const cutOff = first.poll(workspaceId, "calendar").catch(() => {});
    await asked;
    const busy = { status: 409, detail: "Cannot poll Calendar: it is being polled at this moment" };
    assert.deepEqual(await tryPoll(second), busy);
    await first.stop("SIGKILL");
    await cutOff;
    assert.deepEqual(await tryPoll(second), busy, "the lease is the killed process's until it expires");
    feed.held.resolve();
    Deno.kill(second.pid, "SIGUSR2");
    assert.equal(await second.poll(workspaceId, "calendar"), 1);
    assert.equal(await second.poll(workspaceId, "calendar"), 0);
    const [message] = await consumer.until(1);
    assert.equal(message?.routingKey, "calendar.event.created");
    assert.equal(consumer.messages.length, 1);
  }));
