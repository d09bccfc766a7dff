import { CloudEvent } from "cloudevents";
import assert from "node:assert/strict";
import { cloudEventSchema, fromCloudEvent, type NormalizedEvent, parseEnvelope, toCloudEvent } from "./mod.ts";

const EVENT: NormalizedEvent = {
  id: "fb56ac83-6fc3-566a-a55e-09c93485a197",
  type: "github.pr.opened",
  workspaceId: "8f14e45f-ceea-467f-a8b8-1d2f6e0b9c11",
  occurredAt: "2026-01-02T03:04:05.678Z",
  source: "github",
  actor: { type: "user", id: "1", name: "octocat" },
  subject: { type: "pr", id: "7", name: "A title", url: "https://example.com/7" },
  payload: { number: 7 },
};

Deno.test("toCloudEvent gives what the CloudEvents SDK and the schema accept", () => {
  const written = toCloudEvent(EVENT);
  assert.equal(new CloudEvent({ ...written }).validate(), true);
  assert.deepEqual(cloudEventSchema.parse(written), written);
});

Deno.test("fromCloudEvent reads back all that an event tells", () => {
  for (const event of [EVENT, { ...EVENT, actor: { type: "system" as const, id: "github" } }]) {
    assert.deepEqual(fromCloudEvent(toCloudEvent(event)), event);
  }
});

Deno.test("parseEnvelope takes a CloudEvent for the event that it is", () => {
  assert.deepEqual(parseEnvelope(toCloudEvent(EVENT)), EVENT);
  assert.deepEqual(parseEnvelope(JSON.stringify({ ...toCloudEvent(EVENT), traceparent: "00-1-2-01" })), EVENT);
});

Deno.test("parseEnvelope refuses a CloudEvent that is none of Inlet's, and says where", () => {
  const foreign = { ...toCloudEvent(EVENT), source: "/somewhere/else", workspaceid: undefined };
  assert.throws(() => parseEnvelope(foreign), {
    name: "InvalidEventError",
    message: /^Cannot read the event: \/source: must be urn:inlet:source:<connector id>; \/workspaceid: /,
  });
});
