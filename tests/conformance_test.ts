/** What every connector promises, tried on each of its fixtures. A new source is tested the day it is in the catalogue. */
import { actorSchema, EVENT_TYPE_PATTERN, subjectSchema, topicMatches } from "@inlet/events-core";
import fc from "fast-check";
import assert from "node:assert/strict";
import { z } from "zod";
import { schemaRows } from "../components/schema/rows.ts";
import { catalogue } from "../connectors/catalogue.ts";
import {
  exampleSettings,
  fixtureNames,
  readFixture,
  readFixtureEvents,
  readGuide,
} from "../connectors/kit/fixtures.ts";
import {
  type Connector,
  type Delivery,
  type EventDraft,
  MalformedBodyError,
  ShapeError,
  SignatureError,
  type WebhookConnector,
} from "../connectors/kit/mod.ts";

const ARRIVAL = new Date("2026-03-02T12:00:00.000Z");
const DELIVERY_ID = "a-delivery-of-a-test";
const FUZZED_BODIES = 1000;
/** The same bodies each time: a fault that others would find is not to stop whoever changes something else. */
const SEED = 1;

/** One or two words of a trigger may be a pattern's `*`, where types depend on the config. */
const TRIGGER = /^[a-z0-9][a-z0-9_-]*(?:\.(?:[a-z0-9][a-z0-9_-]*|\*)){2}$/;

/** Changes every 97th byte of a body, one at a time, and the first and last. */
function* forgeriesOf(delivery: Delivery): Generator<Delivery> {
  for (let index = 0; index < delivery.body.length; index += 97) yield forged(delivery, index);
  yield forged(delivery, delivery.body.length - 1);
}

function forged(delivery: Delivery, index: number): Delivery {
  const body = new Uint8Array(delivery.body.with(index, (delivery.body[index] ?? 0) ^ 1));
  return { ...delivery, body };
}

/** Checks drafts as what downstream applications will read: their types, the envelope's parts and the payloads. */
function assertDrafts({ manifest: { id, triggers }, payloads }: Connector, drafts: readonly EventDraft[]): void {
  for (const draft of drafts) {
    assert.match(draft.type, EVENT_TYPE_PATTERN);
    assert.ok(draft.type.startsWith(`${id}.`), draft.type);
    const trigger = triggers.find((trigger) => trigger === draft.type) ??
      triggers.find((trigger) => topicMatches(trigger, draft.type)) ?? assert.fail(`${draft.type} is no trigger`);
    const { actor, subject, payload, occurredAt } = z.object({
      actor: actorSchema,
      subject: subjectSchema,
      payload: payloads[trigger] ?? assert.fail(trigger),
      occurredAt: z.iso.datetime({ precision: 3 }),
    }).parse(JSON.parse(JSON.stringify(draft)));
    const written = { ...draft, actor, subject, payload, occurredAt: new Date(occurredAt) };
    assert.deepEqual(JSON.parse(JSON.stringify(written)), JSON.parse(JSON.stringify(draft)), "nothing undocumented");
  }
}

function assertQuiet(error: Error, secrets: Record<string, unknown>): void {
  for (const secret of Object.values(secrets)) {
    assert.ok(typeof secret !== "string" || !error.message.includes(secret), "an error holds a secret");
  }
}

/** Any bytes, any text, any JSON, and a fixture's body with one of its values replaced. */
function bodies(fixtures: readonly Uint8Array[]): fc.Arbitrary<Uint8Array<ArrayBuffer>> {
  const encode = (text: string) => new TextEncoder().encode(text);
  const twisted = fc.tuple(fc.constantFrom(...fixtures), fc.nat(), fc.jsonValue()).map(([body, at, value]) => {
    const text = new TextDecoder().decode(body);
    const places = [...text.matchAll(/"(?:[^"\\]|\\.)*"(?!\s*:)|-?\d+(?:\.\d+)?|true|false|null/g)];
    const place = places[at % Math.max(places.length, 1)];
    if (place === undefined) return encode(text.slice(at % (text.length + 1)));
    return encode(text.slice(0, place.index) + JSON.stringify(value) + text.slice(place.index + place[0].length));
  });
  return fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => new Uint8Array(bytes)),
    fc.string({ maxLength: 200 }).map(encode),
    fc.json().map(encode),
    { arbitrary: twisted, weight: 4 },
  );
}

Deno.test("the ids of the catalogue are unique", () => {
  const ids = catalogue.map(({ manifest }) => manifest.id);
  assert.equal(new Set(ids).size, ids.length);
});

for (const connector of catalogue) {
  const { id, type, triggers, documentationUrl, verification } = connector.manifest;

  Deno.test(`${id}: the triggers are event types of its own, none twice`, () => {
    for (const trigger of triggers) {
      assert.match(trigger, TRIGGER);
      assert.ok(trigger.startsWith(`${id}.`), trigger);
    }
    assert.equal(new Set(triggers).size, triggers.length);
    assert.ok(triggers.length > 0 && URL.canParse(documentationUrl));
    assert.equal(verification.length > 0, type === "webhook");
  });

  Deno.test(`${id}: every trigger is described in a sentence of its own`, () => {
    assert.deepEqual(Object.keys(connector.descriptions).sort(), [...triggers].sort());
    for (const [type, description] of Object.entries(connector.descriptions)) {
      assert.match(description, /^[A-Z].{15,}[^.]\.$/, type);
      const others = catalogue.flatMap(({ descriptions }) => Object.entries(descriptions))
        .filter(([other, said]) => other !== type && said === description);
      assert.deepEqual(others, [], `${type} means the same as others`);
    }
  });

  Deno.test(`${id}: every field of every payload is described`, () => {
    for (const [type, payload] of Object.entries(connector.payloads)) {
      const rows = schemaRows(z.toJSONSchema(payload));
      assert.ok(rows.length > 0, type);
      assert.deepEqual(rows.filter(({ description }) => description === ""), [], type);
    }
  });

  Deno.test(`${id}: config and secrets are described, for people fill them in`, () => {
    for (const schema of [connector.configSchema, connector.secretsSchema]) {
      for (const [name, setting] of Object.entries(schema.shape)) {
        assert.ok(z.globalRegistry.get(setting)?.description, `${name} has no description`);
      }
    }
  });

  Deno.test(`${id}: the first section of the README is the set-up, for the dashboard shows that`, async () => {
    assert.match(/^## .*$/m.exec(await readGuide(id))?.[0] ?? "", /^## Set-up/);
  });

  if (connector.type === "webhook") await walkFixtures(connector);
}

async function walkFixtures(connector: WebhookConnector): Promise<void> {
  const { id } = connector.manifest;
  const names = await fixtureNames(id);

  const openFor = async (name: string) => {
    const { otherSecrets, ...settings } = await exampleSettings(connector, name);
    assert.deepEqual(connector.faultsOf(settings, true), []);
    const receiver = connector.open(settings);
    const unsigned = { ...await readFixture(id, name, DELIVERY_ID), receivedAt: ARRIVAL };
    const sign = (delivery: Delivery) => ({ ...delivery, headers: receiver.sign(delivery) });
    return { settings, otherSecrets, receiver, unsigned, sign };
  };

  Deno.test(`${id}: there are fixtures`, () => assert.ok(names.length > 0));

  for (const name of names) {
    Deno.test(`${id}: the fixture ${name} becomes exactly the events beside it, every time`, async () => {
      const { receiver, unsigned, sign } = await openFor(name);
      const { drafts, deliveryId } = receiver.receive(sign(unsigned));
      assert.deepEqual(JSON.parse(JSON.stringify(drafts)), await readFixtureEvents(id, name, DELIVERY_ID));
      assert.deepEqual(receiver.receive(sign(unsigned)).drafts, drafts);
      assertDrafts(connector, drafts);
      const later = { ...unsigned, receivedAt: new Date(ARRIVAL.getTime() + 60_000) };
      assert.equal(receiver.receive(sign(later)).deliveryId, deliveryId, "the id is the source's own");
      const other = { ...await readFixture(id, name, `not-${DELIVERY_ID}`), receivedAt: ARRIVAL };
      const differ = JSON.stringify([...other.headers]) !== JSON.stringify([...unsigned.headers]);
      const otherId = receiver.receive(sign(other)).deliveryId;
      // Else two deliveries of the same body would pass for one, and the second be dropped.
      assert.ok(!differ || otherId !== deliveryId, "the id in a header is read, and `headers` names that header");
    });

    Deno.test(`${id}: the fixture ${name} is refused unsigned, with another secret and with a byte changed`, async () => {
      const { settings, otherSecrets, receiver, unsigned, sign } = await openFor(name);
      const stranger = connector.open({ ...settings, secrets: otherSecrets });
      const refused = [unsigned, { ...unsigned, headers: stranger.sign(unsigned) }, ...forgeriesOf(sign(unsigned))];
      for (const each of refused) {
        assert.throws(() => receiver.receive(each), (error: Error) => {
          assert.ok(error instanceof SignatureError, error.stack);
          assertQuiet(error, settings.secrets);
          return true;
        });
      }
      assert.throws(() => receiver.refuseUnsigned(unsigned.headers, ARRIVAL), SignatureError);
      receiver.refuseUnsigned(receiver.sign(unsigned), ARRIVAL);
    });

    Deno.test(`${id}: what is kept of the fixture ${name}, signed anew, becomes the same`, async () => {
      const { receiver, unsigned, sign } = await openFor(name);
      const first = receiver.receive(sign(unsigned));
      const kept = { ...unsigned, headers: receiver.keptHeaders(receiver.sign(unsigned)) };
      assert.deepEqual(receiver.receive(sign(kept)), first);
    });
  }

  Deno.test(`${id}: ${FUZZED_BODIES} signed bodies that nobody documents become proper events or a clean refusal`, async () => {
    const opened = await Promise.all(names.map(openFor));
    const settings = opened.map(({ settings }) => settings.secrets);
    fc.assert(
      fc.property(fc.nat(opened.length - 1), bodies(opened.map(({ unsigned }) => unsigned.body)), (which, body) => {
        const { receiver, unsigned, sign } = opened[which] ?? assert.fail();
        try {
          assertDrafts(connector, receiver.receive(sign({ ...unsigned, body })).drafts);
        } catch (error) {
          assert.ok(error instanceof MalformedBodyError || error instanceof ShapeError, String(error));
          for (const secrets of settings) assertQuiet(error, secrets);
        }
      }),
      { numRuns: FUZZED_BODIES, seed: SEED },
    );
  });
}
