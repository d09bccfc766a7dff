/** What every connector promises, tried on each of its fixtures. A new source is tested the day it is in the catalogue. */
import { EVENT_TYPE_PATTERN } from "@inlet/events-core";
import assert from "node:assert/strict";
import { z } from "zod";
import { catalogue } from "../connectors/catalogue.ts";
import { fixtureNames, readFixture, readFixtureEvents } from "../connectors/kit/fixtures.ts";
import { type Delivery, SignatureError, type WebhookConnector } from "../connectors/kit/mod.ts";

/** A value for each secret that a connector asks for. */
const secretsOf = ({ secretsSchema }: WebhookConnector) =>
  Object.fromEntries(Object.keys(secretsSchema.shape).map((name) => [name, `the ${name} of a conformance test`]));

/** Changes every 97th byte of a body, one at a time, and the first and last. */
function* forgeriesOf(delivery: Delivery): Generator<Delivery> {
  for (let index = 0; index < delivery.body.length; index += 97) yield forged(delivery, index);
  yield forged(delivery, delivery.body.length - 1);
}

function forged(delivery: Delivery, index: number): Delivery {
  const body = new Uint8Array(delivery.body.with(index, (delivery.body[index] ?? 0) ^ 1));
  return { ...delivery, body };
}

Deno.test("the ids of the catalogue are unique", () => {
  const ids = catalogue.map(({ manifest }) => manifest.id);
  assert.equal(new Set(ids).size, ids.length);
});

for (const connector of catalogue) {
  const { id, triggers, documentationUrl } = connector.manifest;
  const secrets = secretsOf(connector);
  const receiver = () => connector.open({ config: {}, secrets });

  const signed = async (name: string): Promise<Delivery> => {
    const delivery = await readFixture(id, name, "a-delivery-of-a-test");
    return { ...delivery, headers: connector.sign(delivery, secrets) };
  };

  Deno.test(`${id}: the triggers are event types of its own, none twice`, () => {
    for (const type of triggers) {
      assert.match(type, EVENT_TYPE_PATTERN);
      assert.ok(type.startsWith(`${id}.`), type);
    }
    assert.equal(new Set(triggers).size, triggers.length);
    assert.ok(triggers.length > 0 && URL.canParse(documentationUrl));
  });

  Deno.test(`${id}: config and secrets are described, for people fill them in`, () => {
    for (const schema of [connector.configSchema, connector.secretsSchema]) {
      for (const [name, setting] of Object.entries(schema.shape)) {
        assert.ok(z.globalRegistry.get(setting)?.description, `${name} has no description`);
      }
    }
  });

  for (const name of await fixtureNames(id)) {
    Deno.test(`${id}: the fixture ${name} becomes exactly the events beside it, every time`, async () => {
      const delivery = await signed(name);
      const { drafts } = receiver().receive(delivery);
      assert.deepEqual(JSON.parse(JSON.stringify(drafts)), await readFixtureEvents(id, name));
      assert.deepEqual(receiver().receive(delivery).drafts, drafts);
      for (const { type } of drafts) assert.ok(triggers.includes(type), type);
    });

    Deno.test(`${id}: the fixture ${name} is refused unsigned, with another secret and with a byte changed`, async () => {
      const delivery = await signed(name);
      const unsigned = await readFixture(id, name, "a-delivery-of-a-test");
      const others = Object.fromEntries(Object.keys(secrets).map((key) => [key, `another ${key} than the right one`]));
      const refused = [
        unsigned,
        { ...unsigned, headers: connector.sign(unsigned, others) },
        ...forgeriesOf(delivery),
      ];
      for (const each of refused) {
        assert.throws(() => receiver().receive(each), (error: Error) => {
          assert.ok(error instanceof SignatureError, error.stack);
          return Object.values(secrets).every((secret) => !error.message.includes(secret));
        });
      }
    });
  }
}
