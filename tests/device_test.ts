/** Devices, end to end: the clients in examples/ and signed fixtures in, every event out, at a consumer of the broker. */
import { normalizedEventSchema } from "@inlet/events-core";
import { DEVICE_CUSTOM_EVENTS, devicePayloadSchemas, isDeviceEventType } from "@inlet/device-events";
import assert from "node:assert/strict";
import { z } from "zod";
import { deviceKey } from "../connectors/device/device_key.ts";
import { device } from "../connectors/device/mod.ts";
import { exampleSettings, fixtureNames, readFixture, readFixtureEvents } from "../connectors/kit/fixtures.ts";
import { sendEvents } from "../examples/device_client.ts";
import { acceptedSchema } from "./support/accepted.ts";
import { ForeignConsumer, type ReceivedMessage, testAmqpUrl, uniqueExchange } from "./support/broker.ts";
import { InletProcess } from "./support/inlet.ts";

const ROOT = new URL("../", import.meta.url);

const battery = (levelRatio: number) => ({
  type: "device.battery.changed",
  timestamp: new Date().toISOString(),
  data: { levelRatio },
});

async function run(
  command: string,
  { args, env = {}, input }: { args: string[]; env?: Record<string, string>; input: string },
): Promise<{ code: number; stdout: string; stderr: string }> {
  const child = new Deno.Command(command, { args, env, cwd: ROOT, stdin: "piped", stdout: "piped", stderr: "piped" })
    .spawn();
  // One that refuses its arguments may have ended before it is written to.
  const written = new Blob([input]).stream().pipeTo(child.stdin).catch(() => {});
  const [{ code, stdout, stderr }] = await Promise.all([child.output(), written]);
  return { code, stdout: new TextDecoder().decode(stdout), stderr: new TextDecoder().decode(stderr) };
}

function eventsOf(messages: readonly ReceivedMessage[]) {
  return messages.map(({ text, routingKey, properties }) => {
    const event = normalizedEventSchema.parse(JSON.parse(text));
    assert.equal(routingKey, event.type);
    assert.equal(properties.messageId, event.id);
    devicePayloadSchemas[isDeviceEventType(event.type) ? event.type : DEVICE_CUSTOM_EVENTS].parse(event.payload);
    return event;
  });
}

Deno.test("clients and fixtures become events at a consumer, each with one id however often it is sent", async () => {
  const amqpUrl = testAmqpUrl();
  const exchange = uniqueExchange();
  await using consumer = await ForeignConsumer.bind(amqpUrl, exchange, "device.#");
  await using inlet = await InletProcess.start({ env: { AMQP_URL: amqpUrl, AMQP_EXCHANGE: exchange } });
  const { config, secrets } = await exampleSettings(device);
  const masterSecret = z.string().parse(secrets.masterSecret);
  const webhookUrl = await inlet.enable(await inlet.setUp(), "device", secrets, {
    ...config,
    revokedDevices: ["lost-1"],
  });
  const ids = new Set<string>();
  let sent = 0;
  /** Reads what an answer says was published; a repeat publishes nothing, or the same ids. */
  const arrived = async (published: number, fresh: number) => {
    const events = eventsOf((await consumer.until(sent + published)).slice(sent));
    sent += published;
    const known = ids.size;
    for (const { id } of events) ids.add(id);
    assert.equal(ids.size, known + fresh);
    return events;
  };

  const receiver = device.open({ config, secrets });
  for (const name of await fixtureNames("device")) {
    const drafts = z.array(z.record(z.string(), z.unknown())).parse(await readFixtureEvents("device", name, name));
    const expected = drafts.map(({ key: _, ...draft }) => draft);
    for (const time of [0, 1]) {
      const delivery = await readFixture("device", name, name);
      const response = await fetch(webhookUrl, {
        method: "POST",
        headers: receiver.sign(delivery),
        body: delivery.body,
      });
      const { published } = acceptedSchema.parse(await response.json());
      assert.ok(published === expected.length || time > 0 && published === 0, `${name}: ${published}`);
      const events = await arrived(published, time === 0 ? expected.length : 0);
      const told = events.map(({ id: _, source: __, workspaceId: ___, ...draft }) => draft);
      if (published > 0) assert.deepEqual(told, expected);
    }
  }

  const client = { webhookUrl, deviceId: "browser-1", key: deviceKey(masterSecret, "browser-1") };
  const batch = [battery(0.5), battery(0.4)];
  assert.equal(await sendEvents(client, batch, "request-1"), 2);
  assert.deepEqual((await arrived(2, 2)).map(({ actor, payload }) => [actor.id, payload.levelRatio]), [
    ["browser-1", 0.5],
    ["browser-1", 0.4],
  ]);
  await arrived(await sendEvents(client, batch, "request-1"), 0);

  const named = [{ ...battery(0.2), id: "e-1" }];
  await arrived(await sendEvents(client, named, "request-2"), 1);
  await arrived(await sendEvents(client, named, "request-3"), 0);

  const { stdout: key, stderr } = await run(Deno.execPath(), {
    args: ["task", "device-key", "shell-1"],
    input: `${masterSecret}\n`,
  });
  assert.equal(key.trim(), deviceKey(masterSecret, "shell-1"), stderr);
  const env = { WEBHOOK_URL: webhookUrl, DEVICE_ID: "shell-1", DEVICE_KEY: key.trim(), WEBHOOK_ID: "request-1" };
  const input = JSON.stringify(battery(0.3));
  for (const time of [0, 1]) {
    const { code, stdout } = await run("examples/device_client.sh", { args: [], env, input });
    assert.equal(code, 0, stdout);
    await arrived(acceptedSchema.parse(JSON.parse(stdout)).published, time === 0 ? 1 : 0);
  }

  for (
    const [deviceId, keyOf, body, status] of [
      ["lost-1", "lost-1", battery(0.1), 401],
      ["browser-1", "shell-1", battery(0.1), 401],
      ["browser-1", "browser-1", battery(11), 422],
    ] as const
  ) {
    const wrong = sendEvents({ webhookUrl, deviceId, key: deviceKey(masterSecret, keyOf) }, [battery(0.2), body]);
    await assert.rejects(wrong, new RegExp(`Inlet answered ${status}`));
  }
  const refused = await run("examples/device_client.sh", {
    args: [],
    env: { ...env, DEVICE_KEY: client.key },
    input,
  });
  assert.notEqual(refused.code, 0);
  assert.match(refused.stdout, /signature/);

  // One that is accepted after them: nothing of what was refused came before it.
  assert.equal(await sendEvents(client, [battery(0.9)]), 1);
  assert.deepEqual((await arrived(1, 1)).map(({ payload }) => payload.levelRatio), [0.9]);

  const { code, output } = await inlet.stop();
  assert.equal(code, 0, output);
  for (const secret of [masterSecret, client.key, "org.example.maps"]) assert.ok(!output.includes(secret));
});

Deno.test("the task device-key says what is wrong, and derives nothing then", async () => {
  for (
    const [args, input, said, expected] of [
      [[], "x".repeat(32), /name one device; see: deno task device-key --help/, 2],
      [["a b"], "x".repeat(32), /the id is wrong/, 1],
      [["a"], "short", /fewer than 32/, 1],
    ] as const
  ) {
    const { code, stdout, stderr } = await run(Deno.execPath(), { args: ["task", "device-key", ...args], input });
    assert.equal(code, expected);
    assert.equal(stdout, "");
    assert.match(stderr, said);
  }
});
