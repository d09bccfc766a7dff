import assert from "node:assert/strict";
import { z } from "zod";
import { WEBHOOK_EVENTS, type WebhookPayload, webhookPayloadSchema, webhookPayloadSchemas } from "./mod.ts";

Deno.test("the payload schema keeps the sender's JSON whole, and strips what it does not know", () => {
  const data = JSON.parse('{"__proto__":{"a":1},"list":[1,null,{"deep":true}]}');
  const payload: WebhookPayload = webhookPayloadSchema.parse({ type: "a.b", data, addedLater: 1 });
  assert.deepEqual(payload, { type: "a.b", data });
  for (const any of [null, 0, "", [], [1]]) {
    assert.deepEqual(webhookPayloadSchema.parse({ type: null, data: any }), { type: null, data: any });
  }
});

Deno.test("the payload schema refuses a type that is no text", () => {
  assert.throws(() => webhookPayloadSchema.parse({ data: {} }), { name: "ZodError" });
  assert.throws(() => webhookPayloadSchema.parse({ type: 1, data: {} }), { name: "ZodError" });
});

Deno.test("the schema stands under the pattern of all types, and can be written as JSON Schema", () => {
  assert.deepEqual(Object.keys(webhookPayloadSchemas), [WEBHOOK_EVENTS]);
  const { properties = {} } = z.toJSONSchema(webhookPayloadSchemas[WEBHOOK_EVENTS]);
  assert.deepEqual(Object.keys(properties), ["type", "data"]);
});
