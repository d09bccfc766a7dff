import assert from "node:assert/strict";
import { EVENT_TYPE_PATTERN } from "@inlet/events-core";
import { z } from "zod";
import { isSlackEventType, SlackEventType, slackEventTypes, type SlackPayload, slackPayloadSchemas } from "./mod.ts";

const origin = { teamId: "T1", appId: "A1" };
const reaction = {
  reaction: "eyes",
  item: { type: "message", channelId: "C1", ts: "1.2", fileId: null, permalink: null },
  userId: "U1",
  itemUserId: null,
  ...origin,
};

Deno.test("types are unique, sorted and of the envelope's pattern; a constant's name is its value in capitals", () => {
  assert.deepEqual([...new Set(slackEventTypes)].sort(), slackEventTypes);
  for (const [name, type] of Object.entries(SlackEventType)) {
    assert.match(type, EVENT_TYPE_PATTERN);
    assert.equal(name, type.replace("slack.", "").replace(".", "_").toUpperCase());
  }
});

Deno.test("isSlackEventType knows the types and nothing else", () => {
  assert.equal(slackEventTypes.every(isSlackEventType), true);
  for (const type of ["slack.message.read", "github.pr.opened", "toString", ""]) {
    assert.equal(isSlackEventType(type), false);
  }
});

Deno.test("every event type has exactly one payload schema, in the order of the types", () => {
  assert.deepEqual(Object.keys(slackPayloadSchemas), slackEventTypes);
});

Deno.test("a payload's static type follows from the event type", () => {
  const told: SlackPayload<"slack.reaction.added"> = slackPayloadSchemas[SlackEventType.REACTION_ADDED].parse(reaction);
  assert.equal(told.item.channelId, "C1");
});

Deno.test("a schema strips what it does not know, and refuses what is not as it says", () => {
  const schema = slackPayloadSchemas[SlackEventType.REACTION_ADDED];
  assert.deepEqual(schema.parse({ ...reaction, addedLater: 1 }), reaction);
  assert.throws(() => schema.parse({ ...reaction, userId: null }), { name: "ZodError" });
  assert.throws(() => schema.parse({ ...reaction, teamId: undefined }), { name: "ZodError" });
});

Deno.test("every schema can be written as JSON Schema, in which every field is described", () => {
  const described = z.looseObject({ description: z.string().optional() });
  for (const [type, schema] of Object.entries(slackPayloadSchemas)) {
    const { properties = {} } = z.toJSONSchema(schema);
    for (const [name, property] of Object.entries(properties)) {
      assert.ok(described.parse(property).description, `${type}: ${name} is not described`);
    }
  }
});
