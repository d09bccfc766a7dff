import assert from "node:assert/strict";
import { Webhook } from "standardwebhooks";
import { type Delivery, ShapeError, SignatureError } from "../kit/mod.ts";
import { deviceKey } from "./device_key.ts";
import { device } from "./mod.ts";

const NOW = new Date("2026-03-02T12:00:00Z");
const MASTER = "the master secret of a test, long enough";
const BATTERY = { type: "device.battery.changed", timestamp: "2026-03-02T11:00:00Z", data: { levelRatio: 0.5 } };
const door = { type: "object", required: ["door"], properties: { door: { type: "string", maxLength: 5 } } };

const opened = (config: Record<string, unknown> = {}, masterSecret = MASTER) =>
  device.open({ config, secrets: { masterSecret } });

/** A request that the reference library signs, at `sentAt`, with the key of `keyOf`. */
function request(
  body: unknown,
  { deviceId = "phone-1", keyOf = deviceId, id = "msg_1", sentAt = NOW }: {
    deviceId?: string;
    keyOf?: string;
    id?: string;
    sentAt?: Date;
  } = {},
): Delivery {
  const text = JSON.stringify(body);
  const signature = new Webhook(deviceKey(MASTER, keyOf)).sign(id, sentAt, text);
  const headers = new Headers({
    "x-device-id": deviceId,
    "webhook-id": id,
    "webhook-timestamp": String(sentAt.getTime() / 1000),
    "webhook-signature": signature,
  });
  return { headers, body: new TextEncoder().encode(text), receivedAt: NOW };
}

function signatureFault(delivery: Delivery, config: Record<string, unknown> = {}): string {
  try {
    opened(config).receive(delivery);
    return "authentic";
  } catch (error) {
    return error instanceof SignatureError ? error.fault : assert.fail(String(error));
  }
}

function shapeFaults(body: unknown, config: Record<string, unknown> = {}): string[] {
  try {
    opened(config).receive(request(body));
  } catch (error) {
    return error instanceof ShapeError ? error.faults.map(({ pointer }) => pointer) : assert.fail(String(error));
  }
  return [];
}

const configFaults = (config: Record<string, unknown>) =>
  device.faultsOf({ config, secrets: { masterSecret: MASTER } }, true).map(({ pointer }) => pointer);

Deno.test("device accepts what the reference library signs with the device's key", () => {
  const { drafts, deliveryId } = opened().receive(request(BATTERY));
  assert.deepEqual(drafts.map(({ type, actor }) => [type, actor]), [
    ["device.battery.changed", { type: "device", id: "phone-1" }],
  ]);
  assert.equal(deliveryId, "phone-1/msg_1");
});

Deno.test("device refuses another device's key, under whichever id it is sent", () => {
  assert.equal(signatureFault(request(BATTERY, { keyOf: "phone-2" })), "mismatch");
  assert.equal(signatureFault(request(BATTERY, { deviceId: "phone-2", keyOf: "phone-1" })), "mismatch");
});

Deno.test("device refuses a revoked device that has its key, and tells nobody else", () => {
  const config = { revokedDevices: ["phone-1"] };
  assert.equal(signatureFault(request(BATTERY), config), "unset");
  assert.equal(signatureFault(request(BATTERY, { keyOf: "phone-2" }), config), "mismatch");
  assert.equal(signatureFault(request(BATTERY, { deviceId: "phone-2" }), config), "authentic");
});

Deno.test("device refuses from the headers alone what no body could mend", () => {
  const { headers } = request(BATTERY);
  const without = (name: string) => new Headers([...headers].filter(([other]) => other !== name));
  const changed = (name: string, value: string) => new Headers([...without(name), [name, value]]);
  for (const name of ["x-device-id", "webhook-id", "webhook-timestamp", "webhook-signature"]) {
    assert.throws(() => opened().refuseUnsigned(without(name), NOW), { fault: "missing" }, name);
  }
  assert.throws(() => opened().refuseUnsigned(changed("x-device-id", "a/b"), NOW), { fault: "malformed" });
  assert.throws(() => opened().refuseUnsigned(changed("webhook-id", "x".repeat(201)), NOW), { fault: "malformed" });
  opened().refuseUnsigned(headers, NOW);
});

Deno.test("device refuses a request that is more than five minutes old, and takes an event of long ago", () => {
  assert.equal(signatureFault(request(BATTERY, { sentAt: new Date(NOW.getTime() - 301_000) })), "stale");
  assert.deepEqual(shapeFaults({ ...BATTERY, timestamp: "2019-01-01T00:00:00Z" }), []);
});

Deno.test("device refuses an event of the future, beyond what clocks differ", () => {
  assert.deepEqual(shapeFaults({ ...BATTERY, timestamp: "2026-03-02T12:05:00Z" }), []);
  assert.deepEqual(shapeFaults({ ...BATTERY, timestamp: "2026-03-02T12:05:01Z" }), ["/timestamp"]);
});

Deno.test("device tells the deliveries of two devices with one webhook-id apart", () => {
  const [one, other] = ["phone-1", "phone-2"].map((deviceId) => opened().receive(request(BATTERY, { deviceId })));
  assert.notEqual(one?.deliveryId, other?.deliveryId);
});

Deno.test("device takes a batch whole or not at all, and says what is wrong where", () => {
  const events = [
    BATTERY,
    { ...BATTERY, data: { levelRatio: 55 } },
    { ...BATTERY, timestamp: "yesterday" },
    { ...BATTERY, type: "device.battery.exploded" },
    { ...BATTERY, data: { levelRatio: 0.5, chargin: true } },
    { ...BATTERY, type: "device.custom.unheard_of" },
    { ...BATTERY, data: { levelRatio: 0.5, eventId: "x" } },
    { ...BATTERY, extra: 1 },
  ];
  assert.deepEqual(shapeFaults({ events }), [
    "/events/1/data/levelRatio",
    "/events/2/timestamp",
    "/events/3/type",
    "/events/4/data/chargin",
    "/events/5/type",
    "/events/6/data/eventId",
    "/events/7/extra",
  ]);
});

Deno.test("device refuses an empty batch, one beyond the limit, and one that names an event twice", () => {
  assert.deepEqual(shapeFaults({ events: [] }), ["/events"]);
  assert.deepEqual(shapeFaults({ events: [BATTERY, BATTERY, BATTERY] }, { maxBatchSize: 2 }), ["/events"]);
  assert.deepEqual(shapeFaults({ events: [BATTERY, BATTERY] }, { maxBatchSize: 2 }), []);
  const named = { ...BATTERY, id: "e-1" };
  assert.deepEqual(shapeFaults({ events: [named, named] }), ["/events/1/id"]);
});

Deno.test("device checks a custom event by its schema, and quotes nothing of it", () => {
  const config = { customEvents: { door } };
  const event = { ...BATTERY, type: "device.custom.door", data: { door: "front" } };
  assert.deepEqual(shapeFaults(event, config), []);
  assert.deepEqual(shapeFaults({ ...event, data: {} }, config), ["/data"]);
  assert.throws(() => opened(config).receive(request({ events: [event, { ...event, data: { door: "private" } }] })), {
    faults: [{ pointer: "/events/1/data/door", detail: 'does not fit "maxLength" in the schema of the event' }],
  });
  assert.deepEqual(shapeFaults({ ...event, type: "device.custom.constructor" }, config), ["/type"]);
});

Deno.test("device refuses a request of more names than can be read in no time, wherever they are", () => {
  const config = { customEvents: { any: {} } };
  const withNames = (count: number) => ({
    ...BATTERY,
    type: "device.custom.any",
    data: {
      text: 'a ":" and a \\',
      [`"":\\`]: [Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, at]))],
    },
  });
  assert.deepEqual(shapeFaults(withNames(49_995), config), []);
  assert.throws(() => opened(config).receive(request(withNames(49_996))), {
    name: "ShapeError",
    message: "Cannot read the delivery: it has more than 50000 names: send its events in parts",
  });
});

Deno.test("device takes custom events whose schema has many alternatives, and no request that takes forever to check", () => {
  const node = {
    oneOf: ["a", "b"].map((kind) => ({
      properties: { inner: { $ref: "#" }, kind: { const: kind } },
      required: ["kind"],
    })),
  };
  const config = { customEvents: { node }, maxBatchSize: 1000 };
  const nested = (levels: number): object => levels === 0 ? { kind: "a" } : { kind: "b", inner: nested(levels - 1) };
  const event = (levels: number) => ({ ...BATTERY, type: "device.custom.node", data: nested(levels) });
  assert.deepEqual(shapeFaults({ events: Array.from({ length: 1000 }, () => event(1)) }, config), []);
  assert.deepEqual(shapeFaults(event(60), config), ["/data"]);
  const events = [event(1), ...Array.from({ length: 5 }, () => event(10)), event(1)];
  assert.deepEqual(shapeFaults({ events }, config), ["/events/5/data", "/events/6/data"], "they count together");
});

Deno.test("device survives a schema that refers to itself without end", () => {
  const config = { customEvents: { loop: { $ref: "#" } } };
  assert.deepEqual(shapeFaults({ ...BATTERY, type: "device.custom.loop" }, config), ["/data"]);
});

for (
  const [what, schema, pointer] of [
    ["a type that is none", { type: "objekt" }, "/type"],
    ["a misspelt keyword", { requird: ["door"] }, "/requird"],
    [
      "a bound that is no number, deep within",
      { properties: { a: { items: { minimum: "x" } } } },
      "/properties/a/items/minimum",
    ],
    ["a reference to nothing", { properties: { a: { $ref: "#/$defs/b" } } }, "/properties/a/$ref"],
    ["a reference elsewhere", { $ref: "https://example.com/schema" }, "/$ref"],
    ["a property of a name that every object has", { properties: { constructor: true } }, "/properties/constructor"],
    ["such a name that is required", { required: ["toString"] }, "/required/0"],
    ["a pattern that is none", { properties: { a: { pattern: "(" } } }, "/properties/a/pattern"],
    ["a format that is not checked", { format: "colour" }, "/format"],
  ] as const
) {
  Deno.test(`device refuses settings with ${what} in a custom event's schema`, () => {
    assert.deepEqual(configFaults({ customEvents: { door: schema } }), [`/config/customEvents/door${pointer}`]);
  });
}

Deno.test("device refuses settings with a name or an id that is none", () => {
  assert.deepEqual(configFaults({ customEvents: { "Door.opened": door } }), ["/config/customEvents/Door.opened"]);
  assert.deepEqual(configFaults({ revokedDevices: ["a", "b c"] }), ["/config/revokedDevices/1"]);
  assert.deepEqual(configFaults({ customEvents: { door }, revokedDevices: ["a"], maxBatchSize: 1000 }), []);
});
