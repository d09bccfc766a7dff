import assert from "node:assert/strict";
import { faultsOfCustomEvent } from "./custom_events.ts";

const events = {
  door: {
    type: "object",
    properties: {
      door: { enum: ["front", "back"] },
      at: { format: "date-time" },
      by: { anyOf: [{ type: "string" }, { $ref: "#/$defs/person" }] },
      parts: { items: { type: "object", required: ["name"] } },
    },
    additionalProperties: false,
    $defs: { person: { type: "object", required: ["name"] } },
  },
  tree: { type: "object", properties: { child: { $ref: "#" } } },
};

for (
  const [data, pointer, detail] of [
    [{ door: "side" }, "/door", /"enum"/],
    [{ door: "front", at: "yesterday" }, "/at", /"format"/],
    [{ by: 1 }, "/by", /"anyOf"/],
    [{ by: {} }, "/by", /"anyOf"/],
    [{ parts: [{ name: 1 }, {}] }, "/parts/1", /"required"/],
    [{ "a/b %": 1 }, "/a~1b %", /not known/],
    [{ "\ud800": 1 }, "", /not Unicode/],
  ] as const
) {
  Deno.test(`faultsOfCustomEvent says where ${JSON.stringify(data)} does not fit`, () => {
    const [fault, ...more] = faultsOfCustomEvent(events, "door", data);
    assert.deepEqual(more, []);
    assert.equal(fault?.pointer, pointer);
    assert.match(fault?.detail ?? "", detail);
  });
}

Deno.test("faultsOfCustomEvent finds nothing wrong with what fits", () => {
  const data = { door: "back", at: "2026-03-02T12:00:00Z", by: { name: "Mira" }, parts: [{ name: "hinge" }] };
  assert.deepEqual(faultsOfCustomEvent(events, "door", data), []);
  assert.deepEqual(faultsOfCustomEvent(events, "door", {}), []);
});

Deno.test("faultsOfCustomEvent finds equal entries in lists, and refuses lists that are too long for it to find them", () => {
  const schemas = { visit: { properties: { rooms: { type: "array", uniqueItems: true } } }, any: {} };
  const rooms = (count: number) => ({ rooms: Array.from({ length: count }, (_, room) => ({ room })) });
  assert.deepEqual(faultsOfCustomEvent(schemas, "visit", rooms(1000)), []);
  assert.deepEqual(faultsOfCustomEvent(schemas, "visit", { rooms: [{ room: 1 }, {}, { room: 1 }] }), [
    { pointer: "/rooms", detail: 'does not fit "uniqueItems" in the schema of the event' },
  ]);
  for (const tooMuch of [rooms(1001), rooms(1_000_000), { a: rooms(800), b: rooms(800) }]) {
    assert.match(faultsOfCustomEvent(schemas, "visit", tooMuch)[0]?.detail ?? "", /has too long lists/);
  }
  assert.deepEqual(faultsOfCustomEvent(schemas, "any", rooms(1001)), []);
});

Deno.test("faultsOfCustomEvent refuses data nested deeper than can be written as JSON again", () => {
  const nested = (levels: number): Record<string, unknown> => {
    let data = {};
    for (let level = 1; level < levels; level++) data = { child: data };
    return data;
  };
  assert.deepEqual(faultsOfCustomEvent(events, "tree", nested(100)), []);
  for (const levels of [101, 100_000]) {
    assert.match(faultsOfCustomEvent(events, "tree", nested(levels))[0]?.detail ?? "", /more than 100 levels/);
  }
});
