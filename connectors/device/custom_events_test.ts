import assert from "node:assert/strict";
import { CustomEventCheck } from "./custom_events.ts";

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
  Deno.test(`CustomEventCheck says where ${JSON.stringify(data)} does not fit`, () => {
    const [fault, ...more] = new CustomEventCheck(events).faultsOf("door", data);
    assert.deepEqual(more, []);
    assert.equal(fault?.pointer, pointer);
    assert.match(fault?.detail ?? "", detail);
  });
}

Deno.test("CustomEventCheck finds nothing wrong with what fits", () => {
  const data = { door: "back", at: "2026-03-02T12:00:00Z", by: { name: "Mira" }, parts: [{ name: "hinge" }] };
  assert.deepEqual(new CustomEventCheck(events).faultsOf("door", data), []);
  assert.deepEqual(new CustomEventCheck(events).faultsOf("door", {}), []);
});

Deno.test("CustomEventCheck checks a property with the name of a keyword", () => {
  for (const name of ["$recursiveAnchor", "$ref", "properties"]) {
    const check = new CustomEventCheck({ odd: { properties: { [name]: { type: "string" } } } });
    assert.deepEqual(check.faultsOf("odd", { [name]: "text" }), []);
    assert.deepEqual(check.faultsOf("odd", { [name]: 1 }).map(({ pointer }) => pointer), [`/${name}`]);
  }
});

Deno.test("CustomEventCheck finds equal entries in lists, and refuses lists that are too long for it to find them", () => {
  const schemas = { visit: { properties: { rooms: { type: "array", uniqueItems: true } } }, any: {} };
  const rooms = (count: number, size = 0) => ({
    rooms: Array.from({ length: count }, (_, room) => ({ windows: Array.from({ length: size }, () => 0), room })),
  });
  const faultsOf = (name: string, ...events: Record<string, unknown>[]) => {
    const check = new CustomEventCheck(schemas);
    return events.flatMap((data) => check.faultsOf(name, data));
  };
  assert.deepEqual(faultsOf("visit", { rooms: Array.from({ length: 1400 }, (_, room) => room) }), []);
  assert.deepEqual(faultsOf("visit", rooms(800)), []);
  assert.deepEqual(faultsOf("visit", { rooms: [{ room: 1 }, {}, { room: 1 }] }), [
    { pointer: "/rooms", detail: 'does not fit "uniqueItems" in the schema of the event' },
  ]);
  for (const tooMuch of [[rooms(1500)], [rooms(100_000)], [rooms(400, 100)], [rooms(800), rooms(800)]]) {
    const faults = faultsOf("visit", ...tooMuch);
    assert.equal(faults.length, 1);
    assert.match(faults[0]?.detail ?? "", /has too long lists/);
  }
  assert.deepEqual(faultsOf("any", rooms(1500)), []);
});

Deno.test("CustomEventCheck refuses data nested deeper than can be written as JSON again", () => {
  const nested = (levels: number): Record<string, unknown> => {
    let data = {};
    for (let level = 1; level < levels; level++) data = { child: data };
    return data;
  };
  assert.deepEqual(new CustomEventCheck(events).faultsOf("tree", nested(100)), []);
  for (const levels of [101, 100_000]) {
    assert.match(
      new CustomEventCheck(events).faultsOf("tree", nested(levels))[0]?.detail ?? "",
      /more than 100 levels/,
    );
  }
});
