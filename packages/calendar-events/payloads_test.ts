import assert from "node:assert/strict";
import { EVENT_TYPE_PATTERN } from "@inlet/events-core";
import { z } from "zod";
import { CalendarEventType, calendarEventTypes, calendarPayloadSchemas, isCalendarEventType } from "./mod.ts";

Deno.test("every calendar event type has a payload schema, a name and the envelope's pattern", () => {
  assert.deepEqual(Object.keys(calendarPayloadSchemas).sort(), [...calendarEventTypes]);
  for (const [name, type] of Object.entries(CalendarEventType)) {
    assert.match(type, EVENT_TYPE_PATTERN);
    assert.equal(name, type.replace("calendar.", "").replace(".", "_").toUpperCase());
    assert.ok(isCalendarEventType(type));
  }
  assert.equal(isCalendarEventType("calendar.event.moved"), false);
});

Deno.test("a calendar payload schema strips what it does not know, and refuses what is not as it says", () => {
  const schema = calendarPayloadSchemas[CalendarEventType.EVENT_CANCELLED];
  const payload = { uid: "1", calendar: null, summary: null, start: "2026-03-02T10:00:00.000Z", reason: "removed" };
  assert.deepEqual(schema.parse({ ...payload, addedLater: 1 }), payload);
  assert.throws(() => schema.parse({ ...payload, start: "tomorrow" }), { name: "ZodError" });
});

Deno.test("every calendar payload schema can be written as JSON Schema", () => {
  for (const schema of Object.values(calendarPayloadSchemas)) assert.ok(z.toJSONSchema(schema).properties);
});
