import { EVENT_TYPE_PATTERN, topicMatches } from "@inlet/events-core";
import assert from "node:assert/strict";
import { z } from "zod";
import {
  DEVICE_CUSTOM_EVENTS,
  deviceBatteryPayloadSchema,
  deviceCustomEventType,
  DeviceEventType,
  deviceEventTypes,
  deviceHealthPayloadSchema,
  deviceLocationPayloadSchema,
  devicePayloadSchemas,
  isDeviceCustomEventType,
  isDeviceEventType,
} from "./mod.ts";

Deno.test("every type has a payload schema, and so have custom events", () => {
  assert.deepEqual(Object.keys(devicePayloadSchemas).sort(), [...deviceEventTypes, DEVICE_CUSTOM_EVENTS].sort());
  assert.ok(deviceEventTypes.every(isDeviceEventType));
  assert.equal(isDeviceEventType("device.custom.door_opened"), false);
});

Deno.test("a constant's name is its value in capitals", () => {
  for (const [name, type] of Object.entries(DeviceEventType)) {
    assert.equal(name, type.replace("device.", "").replace(".", "_").toUpperCase());
    assert.match(type, EVENT_TYPE_PATTERN);
  }
});

Deno.test("the type of a custom event is an event type that the pattern of custom events matches", () => {
  const type = deviceCustomEventType("door-opened_2");
  assert.match(type, EVENT_TYPE_PATTERN);
  assert.ok(isDeviceCustomEventType(type) && topicMatches(DEVICE_CUSTOM_EVENTS, type));
  for (const other of ["device.custom.", "device.custom.A", "device.custom.a.b", "device.app.opened", "x.custom.a"]) {
    assert.equal(isDeviceCustomEventType(other), false, other);
  }
});

for (
  const [what, schema, value] of [
    ["a latitude beyond the pole", deviceLocationPayloadSchema, { latitude: 90.1, longitude: 0 }],
    ["a longitude beyond the date line", deviceLocationPayloadSchema, { latitude: 0, longitude: -180.1 }],
    ["a speed below zero", deviceLocationPayloadSchema, { latitude: 0, longitude: 0, speedMetersPerSecond: -1 }],
    ["a heading of more than a circle", deviceLocationPayloadSchema, {
      latitude: 0,
      longitude: 0,
      headingDegrees: 361,
    }],
    ["a battery level in percent", deviceBatteryPayloadSchema, { levelRatio: 55 }],
    ["an oxygen saturation in percent", deviceHealthPayloadSchema, { bloodOxygenRatio: 97 }],
    ["half a step", deviceHealthPayloadSchema, { stepCount: 0.5 }],
    ["a record of no measure", deviceHealthPayloadSchema, { eventId: "1", durationSeconds: 60 }],
  ] as const
) {
  Deno.test(`a payload schema refuses ${what}`, () => assert.equal(schema.safeParse(value).success, false));
}

Deno.test("a payload schema strips what it does not know, so that a consumer outlives an addition", () => {
  assert.deepEqual(deviceBatteryPayloadSchema.parse({ levelRatio: 1, later: 1 }), { levelRatio: 1 });
});

Deno.test("every schema can be written as JSON Schema, each field described", () => {
  for (const [type, schema] of Object.entries(devicePayloadSchemas)) {
    const written = z.object({
      type: z.literal("object"),
      properties: z.record(z.string(), z.object({ description: z.string() })),
    });
    assert.ok(Object.keys(written.parse(z.toJSONSchema(schema)).properties).length > 1, type);
  }
});
