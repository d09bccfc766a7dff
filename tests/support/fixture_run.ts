import { normalizedEventSchema } from "@inlet/events-core";
import assert from "node:assert/strict";
import { z } from "zod";
import { exampleSettings, fixtureNames, readFixture, readFixtureEvents } from "../../connectors/kit/fixtures.ts";
import type { Delivery, WebhookConnector } from "../../connectors/kit/mod.ts";
import { acceptedEvents } from "./accepted.ts";
import { ForeignConsumer, testAmqpUrl, uniqueExchange } from "./broker.ts";
import { InletProcess } from "./inlet.ts";

const draftsSchema = z.array(z.object({ type: z.string() }));

/**
 * The main promise for one source, end to end: each of its fixtures, signed as the source does, goes to a running service
 * and arrives as its events at a foreign consumer, in order; sent again it brings no new ids; forged it is refused.
 */
export async function assertFixturesArrive(connector: WebhookConnector): Promise<void> {
  const { manifest: { id, triggers }, payloads } = connector;
  const settings = await exampleSettings(connector);
  const receiver = connector.open(settings);
  const fixtures = await Promise.all((await fixtureNames(id)).map(async (name) => ({
    name,
    delivery: await readFixture(id, name, `delivery-of-${name}`),
    types: draftsSchema.parse(await readFixtureEvents(id, name, "")).map(({ type }) => type),
  })));
  const amqpUrl = testAmqpUrl();
  const exchange = uniqueExchange();
  await using consumer = await ForeignConsumer.bind(amqpUrl, exchange, `${id}.#`);
  await using inlet = await InletProcess.start({ env: { AMQP_URL: amqpUrl, AMQP_EXCHANGE: exchange } });
  const workspaceId = await inlet.setUp();
  const url = await inlet.enable(workspaceId, id, settings.secrets);
  const send = ({ body, headers }: Delivery) => fetch(url, { method: "POST", headers, body });
  const deliver = async ({ name, delivery }: (typeof fixtures)[number]) => {
    return await acceptedEvents(await send({ ...delivery, headers: receiver.sign(delivery) }), name);
  };

  for (const fixture of fixtures) assert.equal(await deliver(fixture), fixture.types.length, fixture.name);
  const expected = fixtures.flatMap(({ types }) => types);
  const messages = await consumer.untilDifferent(expected.length);
  assert.deepEqual(messages.map(({ routingKey }) => routingKey), expected);
  const events = messages.map(({ text }) => normalizedEventSchema.parse(JSON.parse(text)));
  for (const { type, source, payload } of events) {
    assert.ok(triggers.includes(type) && source === id, type);
    (payloads[type] ?? assert.fail(type)).parse(payload);
  }
  const ids = new Set(events.map((event) => event.id));
  assert.equal(ids.size, expected.length, "every id is unique");

  let again = 0;
  for (const fixture of fixtures) again += await deliver(fixture);
  const repeats = (await consumer.until(expected.length + again)).slice(expected.length);
  for (const { properties } of repeats) assert.ok(ids.has(properties.messageId), "what is sent again keeps its ids");

  const stranger = connector.open({ ...settings, secrets: settings.otherSecrets });
  for (const { name, delivery } of fixtures) {
    const refused = await send({ ...delivery, headers: stranger.sign(delivery) });
    assert.equal(refused.status, 401, name);
    await refused.body?.cancel();
  }
  const { code, output } = await inlet.stop();
  assert.equal(code, 0, output);
  for (const secret of Object.values(settings.secrets)) assert.ok(!output.includes(String(secret)), "the log is clean");
}
