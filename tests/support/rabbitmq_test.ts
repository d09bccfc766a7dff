import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { connect } from "amqplib";
import { assertNothingLeft, processesUsing } from "./processes.ts";
import { providePrivateNode, provideRabbitmq } from "./rabbitmq.ts";
import { lookAround } from "./rabbitmq/ways.ts";

async function publish(url: string, queue: string, text: string): Promise<void> {
  const connection = await connect(url);
  const channel = await connection.createConfirmChannel();
  await channel.assertQueue(queue, { durable: true });
  channel.sendToQueue(queue, Buffer.from(text), { persistent: true });
  await channel.waitForConfirms();
  await connection.close();
}

async function take(url: string, queue: string): Promise<string | undefined> {
  const connection = await connect(url);
  const channel = await connection.createChannel();
  await channel.assertQueue(queue, { durable: true });
  const message = await channel.get(queue, { noAck: true });
  await channel.deleteQueue(queue);
  await connection.close();
  return message ? message.content.toString() : undefined;
}

Deno.test("provideRabbitmq gives a broker that speaks AMQP", async () => {
  const rabbitmq = await provideRabbitmq();
  try {
    const queue = `inlet-test-${crypto.randomUUID()}`;
    await publish(rabbitmq.url, queue, "hello");
    assert.equal(await take(rabbitmq.url, queue), "hello");
  } finally {
    await rabbitmq.stop();
  }
});

Deno.test("provideRabbitmq gives the broker at TEST_AMQP_URL, and does not print its password", async () => {
  const given = await provideRabbitmq({ ...lookAround(), testAmqpUrl: "amqp://someone:secret@127.0.0.1:1/tests" });
  assert.equal(given.url, "amqp://someone:secret@127.0.0.1:1/tests");
  assert.equal(given.how, "the one at TEST_AMQP_URL, amqp://someone:***@127.0.0.1:1/tests");
  await given.stop();
});

Deno.test("private nodes run side by side, keep durable messages over a kill, and leave nothing behind", async () => {
  const [one, other] = await Promise.all([providePrivateNode(), providePrivateNode()]);
  try {
    await publish(one.url, "durable", "kept");
    await one.kill();
    await assert.rejects(connect(one.url));
    assert.equal(await take(other.url, "durable"), undefined);
    await one.kill();
    await one.restart();
    assert.equal(await take(one.url, "durable"), "kept");
    if (one.folder) assert.notDeepEqual(await processesUsing(one.folder), []);
  } finally {
    await Promise.all([one.stop(), other.stop()]);
  }
  for (const { folder } of [one, other]) if (folder) await assertNothingLeft(folder);
  await one.stop();
});

Deno.test("a private node ends with the process that started it, even by kill -9", async () => {
  const module = new URL("./rabbitmq.ts", import.meta.url);
  const script =
    `import { providePrivateNode } from "${module}"; console.log((await providePrivateNode()).folder ?? "");
    await new Promise((resolve) => setTimeout(resolve, 60_000));`;
  const starter = new Deno.Command(Deno.execPath(), { args: ["eval", "--no-check", script], stdout: "piped" }).spawn();
  const reader = starter.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const line = (await reader.read()).value ?? "";
  starter.kill("SIGKILL");
  await starter.status;
  await reader.cancel();
  assert.ok(line.endsWith("\n"), "the node was started");
  const folder = line.trim();
  if (!folder) return; // In Docker: nothing of it is on this machine.
  await assertNothingLeft(folder);
});
