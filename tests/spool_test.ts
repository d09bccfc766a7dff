/** The real process before a broker that is harmed: nothing that was accepted is lost, and its order holds. */
import assert from "node:assert/strict";
import { z } from "zod";
import { keys } from "../server/store/keys.ts";
import { ForeignConsumer, testAmqpUrl, uniqueExchange } from "./support/broker.ts";
import { InletProcess } from "./support/inlet.ts";
import { answerOf, idsIn, LANE_SECRET, Lanes, namesIn, numberedDelivery } from "./support/lanes.ts";
import { type PrivateNode, providePrivateNode, settle } from "./support/rabbitmq.ts";
import { TcpProxy } from "./support/tcp_proxy.ts";

/** The service itself and not a task around it, so that a kill hits it. */
const SERVICE = ["run", "-A", "start.ts"];

const readinessSchema = z.object({
  ready: z.boolean(),
  checks: z.object({
    broker: z.object({ ok: z.boolean(), detail: z.string() }),
    spool: z.object({ ok: z.boolean(), detail: z.string(), entries: z.int(), bytes: z.int() }),
  }),
});

/** What it is by itself: after a kill, a broker may never confirm what it was given just before. */
const PUBLISH_TIMEOUT = "5s";

async function readiness(inlet: InletProcess): Promise<{ status: number } & z.output<typeof readinessSchema>> {
  const response = await fetch(`${inlet.url}/readyz`);
  return { status: response.status, ...readinessSchema.parse(await response.json()) };
}

async function until(inlet: InletProcess, holds: (state: z.output<typeof readinessSchema>) => boolean): Promise<void> {
  while (!holds(await readiness(inlet))) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** A service, its webhook URL, and a consumer of its events. */
async function withService(
  node: PrivateNode,
  run: (
    parts: { inlet: InletProcess; webhookUrl: string; consumer: ForeignConsumer; workspaceId: string },
  ) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  const exchange = `spool.${crypto.randomUUID()}`;
  // RabbitMQ 3.10 can leave channels hanging that use a quorum queue right after a crash, consumers' as well.
  await using consumer = await ForeignConsumer.bind(node.url, exchange, "#", "classic");
  await using inlet = await InletProcess.start({
    command: SERVICE,
    env: { AMQP_URL: node.url, AMQP_EXCHANGE: exchange, PUBLISH_TIMEOUT, ...env },
  });
  const workspaceId = await inlet.setUp();
  const webhookUrl = await inlet.enable(workspaceId, "github", { webhookSecret: LANE_SECRET });
  await settle(node);
  await run({ inlet, webhookUrl, consumer, workspaceId });
}

/** Starts the service again with the store and the port of one that was killed. */
async function startAgain(inlet: InletProcess, env: Record<string, string>): Promise<InletProcess> {
  return await InletProcess.start({
    command: SERVICE,
    folder: inlet.folder,
    env: { PORT: new URL(inlet.url).port, PUBLISH_TIMEOUT, ...env },
  });
}

/** All that was accepted came, each lane in its order, and a repeat with its id; gives how many messages were repeats. */
function assertAllInOrder(lanes: Lanes, consumer: ForeignConsumer): number {
  const names = namesIn(consumer.messages);
  const came = new Set(names);
  for (const [lane, accepted] of lanes.accepted.entries()) {
    assert.deepEqual(accepted.filter((name) => !came.has(name)), [], "accepted, and never published");
    const order = names.filter((name) => name.startsWith(`${lane}/`)).map((name) => Number(name.split("/")[1]));
    assert.deepEqual(order, order.toSorted((a, b) => a - b), `lane ${lane} came out of order`);
  }
  assert.equal(idsIn(consumer.messages).length, names.length, "an event came under more than one id");
  return consumer.messages.length - names.length;
}

/** Waits for events of so many names; the broker gives some again after a crash that the consumer had read. */
async function untilNames(consumer: ForeignConsumer, count: number): Promise<string[]> {
  while (namesIn(consumer.messages).length < count) await new Promise((resolve) => setTimeout(resolve, 20));
  return namesIn(consumer.messages);
}

async function untilAllCame(lanes: Lanes, consumer: ForeignConsumer): Promise<void> {
  const expected = lanes.accepted.flat();
  const complete = () => {
    const came = new Set(namesIn(consumer.messages));
    return expected.every((name) => came.has(name));
  };
  while (!complete()) await new Promise((resolve) => setTimeout(resolve, 100));
}

Deno.test("a broker killed under load and restarted: 202 meanwhile, and everything arrives in order", async () => {
  const node = await providePrivateNode();
  try {
    await withService(node, async ({ inlet, webhookUrl, consumer }) => {
      const lanes = new Lanes(webhookUrl, 8);
      await lanes.until(200, 200);
      for (let kill = 0; kill < 2; kill++) {
        await node.kill();
        await lanes.until(202, 200);
        const { status, checks } = await readiness(inlet);
        assert.equal(status, 200, "it takes deliveries");
        assert.equal(checks.broker.ok, false);
        assert.match(checks.spool.detail, /^\d+ events waiting for the broker, the oldest for \d+ seconds?/);
        await node.restart();
        await lanes.until(200, 200);
      }
      await lanes.stop();
      await untilAllCame(lanes, consumer);
      assertAllInOrder(lanes, consumer);
      await until(inlet, ({ checks }) => checks.spool.entries === 0 && checks.spool.bytes === 0);
      assert.deepEqual([...lanes.statuses.keys()].sort(), [200, 202], "every delivery was accepted at once");
    });
  } finally {
    await node.stop();
  }
});

Deno.test("the process killed while it spools and while it empties the spool: nothing is lost", async () => {
  const node = await providePrivateNode();
  try {
    await withService(node, async ({ inlet, webhookUrl, consumer }) => {
      const env = { AMQP_URL: node.url, AMQP_EXCHANGE: consumer.exchange };
      const lanes = new Lanes(webhookUrl, 8);
      await lanes.until(200, 50);
      await node.kill();
      await lanes.until(202, 300);
      await inlet.stop("SIGKILL");
      await lanes.until(0, 5);
      await using second = await startAgain(inlet, env);
      await lanes.until(202, 1000);
      await node.restart();
      await until(second, ({ checks }) => checks.spool.entries < 1200);
      await second.stop("SIGKILL");
      await using third = await startAgain(inlet, env);
      await lanes.until(200, 100);
      await lanes.stop();
      await untilAllCame(lanes, consumer);
      assertAllInOrder(lanes, consumer);
      await until(third, ({ checks }) => checks.spool.entries === 0 && checks.spool.bytes === 0);
    });
  } finally {
    await node.stop();
  }
});

Deno.test("a broker that takes no messages: 202 at once, nothing published twice when it does again", async () => {
  const node = await providePrivateNode();
  try {
    await withService(node, async ({ inlet, webhookUrl, consumer }) => {
      assert.equal((await answerOf(webhookUrl, numberedDelivery(0, 0))).status, 200);
      await node.ctl("set_vm_memory_high_watermark", "0");
      // The broker tells that it is blocked when something is published; that one waits no longer than that.
      for (let number = 1; number < 50; number++) {
        const { status, published, queued } = await answerOf(webhookUrl, numberedDelivery(0, number));
        assert.deepEqual({ status, published, queued }, { status: 202, published: 0, queued: 1 });
      }
      const { checks } = await readiness(inlet);
      assert.match(checks.broker.detail, /the broker takes no messages/);
      await node.ctl("set_vm_memory_high_watermark", "0.4");
      await consumer.until(50);
      await until(inlet, ({ checks }) => checks.spool.entries === 0);
      assert.deepEqual(namesIn(consumer.messages), Array.from({ length: 50 }, (_, number) => `0/${number}`));
      assert.equal(consumer.messages.length, 50);
    }, { PUBLISH_TIMEOUT: "1h" });
  } finally {
    await node.stop();
  }
});

Deno.test("a full spool: 503 with Retry-After, nothing half stored, and accepted when there is room", async () => {
  const node = await providePrivateNode();
  try {
    await withService(node, async ({ inlet, webhookUrl, consumer }) => {
      assert.equal((await answerOf(webhookUrl, numberedDelivery(0, 0))).status, 200);
      await node.kill();
      let accepted = 1;
      let last = await answerOf(webhookUrl, numberedDelivery(0, accepted));
      for (; last.status === 202; last = await answerOf(webhookUrl, numberedDelivery(0, accepted))) accepted++;
      assert.equal(last.status, 503);
      assert.match(last.retryAfter ?? "", /^\d+$/);
      assert.ok(accepted > 5, `${accepted} were accepted`);
      const { status, checks } = await readiness(inlet);
      assert.equal(status, 503);
      assert.equal(checks.spool.entries, accepted - 1);
      assert.match(checks.spool.detail, /^full \(SPOOL_MAX_BYTES\)/);
      await node.restart();
      await until(inlet, ({ ready }) => ready);
      const { status: now, duplicate } = await answerOf(webhookUrl, numberedDelivery(0, accepted));
      assert.ok(now === 200 || now === 202, `it is ${now}`);
      assert.equal(duplicate, false, "what was refused is no duplicate");
      assert.deepEqual(
        await untilNames(consumer, accepted + 1),
        Array.from({ length: accepted + 1 }, (_, number) => `0/${number}`),
      );
    }, { SPOOL_MAX_BYTES: "5000", PUBLISH_TIMEOUT: "1m" });
  } finally {
    await node.stop();
  }
});

Deno.test("a full disk and no broker: not ready, until there is either, though nobody sends anything meanwhile", async () => {
  await using proxy = TcpProxy.before(testAmqpUrl());
  // Whatever a process writes beyond its limit fails, as on a full disk, and does not end it.
  const script = `trap "" XFSZ; exec "${Deno.execPath()}" run -A start.ts`;
  const env = { AMQP_URL: proxy.through(testAmqpUrl()), AMQP_EXCHANGE: uniqueExchange() };
  await using inlet = await InletProcess.start({ env, program: "/bin/sh", command: ["-c", script] });
  const url = await inlet.enable(await inlet.setUp(), "github", { webhookSecret: LANE_SECRET });
  proxy.down();
  await until(inlet, ({ checks }) => !checks.broker.ok);
  await limitFiles(inlet, "1");
  assert.equal((await answerOf(url, numberedDelivery(0, 0))).status, 503);
  const { status, ready, checks } = await readiness(inlet);
  assert.deepEqual([status, ready, checks.spool.ok], [503, false, false]);
  assert.match(checks.spool.detail, /^broken: it cannot be written \(KV_PATH\): /);
  await proxy.up();
  await until(inlet, ({ ready }) => ready);
  assert.equal((await answerOf(url, numberedDelivery(0, 1))).status, 200, "what the broker takes needs no spool");
  proxy.down();
  await until(inlet, ({ ready }) => !ready);
  await limitFiles(inlet, "unlimited");
  await until(inlet, ({ ready }) => ready);
  assert.equal((await answerOf(url, numberedDelivery(0, 2))).status, 202);
  await proxy.up();
  await until(inlet, ({ checks }) => checks.spool.ok && checks.spool.entries === 0);
});

/** How large the files of a process may become, in bytes. */
async function limitFiles({ pid }: InletProcess, most: string): Promise<void> {
  const { success } = await new Deno.Command("prlimit", { args: [`--pid=${pid}`, `--fsize=${most}:`] }).output();
  assert.ok(success);
}

Deno.test("an entry that cannot be read is told of, and keeps no delivery from being accepted", async () => {
  const folder = await Deno.makeTempDir();
  try {
    {
      await using away = await InletProcess.start({ folder, env: { AMQP_URL: "amqp://127.0.0.1:1" } });
      const url = await away.enable(await away.setUp(), "github", { webhookSecret: LANE_SECRET });
      assert.equal((await answerOf(url, numberedDelivery(0, 0))).status, 202);
    }
    const kv = await Deno.openKv(`${folder}/inlet.sqlite3`);
    for await (const { key } of kv.list({ prefix: keys.spool() })) await kv.set(key, "nonsense");
    kv.close();
    const env = { AMQP_URL: testAmqpUrl(), AMQP_EXCHANGE: uniqueExchange() };
    await using inlet = await InletProcess.start({ folder, env });
    await until(inlet, ({ checks }) => !checks.spool.ok);
    const { status, ready, checks } = await readiness(inlet);
    assert.match(checks.spool.detail, /^broken: Cannot read \["spool"/);
    assert.deepEqual([status, ready], [200, true]);
    const added = await inlet.post("/workspaces", { workspaceName: "Other" });
    const { workspaceId } = z.object({ workspaceId: z.string() }).parse(added);
    const url = await inlet.enable(workspaceId, "github", { webhookSecret: LANE_SECRET });
    assert.equal((await answerOf(url, numberedDelivery(0, 0))).status, 200);
    assert.match(await (await inlet.ask("/dashboard")).text(), /The spool cannot be emptied/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("the same delivery twice is published once: at once, later, spooled, and after a restart", async () => {
  const node = await providePrivateNode();
  try {
    await withService(node, async ({ inlet, webhookUrl, consumer }) => {
      const again = { status: 200, published: 0, duplicate: true };
      const outcome = async (url: string, number: number) => {
        const { status, published, duplicate } = await answerOf(url, numberedDelivery(0, number));
        return { status, published, duplicate };
      };
      assert.deepEqual(await outcome(webhookUrl, 0), { status: 200, published: 1, duplicate: false });
      assert.deepEqual(await outcome(webhookUrl, 0), again);
      const copies = await Promise.all(Array.from({ length: 20 }, () => outcome(webhookUrl, 1)));
      assert.equal(copies.filter(({ published }) => published === 1).length, 1);
      assert.equal(copies.filter(({ duplicate }) => duplicate).length, 19);
      await consumer.until(2);
      assert.equal(consumer.messages.length, 2, "nothing was published again");
      await node.kill();
      assert.deepEqual(await outcome(webhookUrl, 2), { status: 202, published: 0, duplicate: false });
      assert.deepEqual(await outcome(webhookUrl, 2), again);
      await inlet.stop("SIGKILL");
      const env = { AMQP_URL: node.url, AMQP_EXCHANGE: consumer.exchange, PUBLISH_TIMEOUT: "1m" };
      await using second = await startAgain(inlet, env);
      for (const number of [0, 1, 2]) assert.deepEqual(await outcome(webhookUrl, number), again);
      await node.restart();
      await until(second, ({ checks }) => checks.broker.ok && checks.spool.entries === 0);
      assert.deepEqual(await outcome(webhookUrl, 3), { status: 200, published: 1, duplicate: false });
      assert.deepEqual(await untilNames(consumer, 4), ["0/0", "0/1", "0/2", "0/3"]);
    }, { PUBLISH_TIMEOUT: "1m" });
  } finally {
    await node.stop();
  }
});

Deno.test("a stop spools what waits for a confirm, within SHUTDOWN_TIMEOUT", async () => {
  const node = await providePrivateNode();
  try {
    await using proxy = TcpProxy.before(node.url);
    await withService(node, async ({ inlet, webhookUrl, consumer }) => {
      assert.equal((await answerOf(webhookUrl, numberedDelivery(0, 0))).status, 200);
      proxy.stall();
      const waiting = Array.from({ length: 10 }, (_, number) => answerOf(webhookUrl, numberedDelivery(1, number)));
      await consumer.until(11);
      const { code } = await inlet.stop();
      assert.equal(code, 0);
      for (const { status, queued } of await Promise.all(waiting)) assert.deepEqual([status, queued], [202, 1]);
      await using second = await startAgain(inlet, { AMQP_URL: node.url, AMQP_EXCHANGE: consumer.exchange });
      await until(second, ({ checks }) => checks.broker.ok && checks.spool.entries === 0);
      await consumer.until(21);
      assert.equal(namesIn(consumer.messages).length, 11);
      assert.equal(idsIn(consumer.messages).length, 11, "what was published already has the same ids again");
    }, { AMQP_URL: proxy.through(node.url), PUBLISH_TIMEOUT: "1h", SHUTDOWN_TIMEOUT: "10s" });
  } finally {
    await node.stop();
  }
});
