import type { NormalizedEvent } from "@inlet/events-core";
import { CloudEvent, HTTP } from "cloudevents";
import assert from "node:assert/strict";
import { cloudEventsFormat, normalizedFormat } from "./format.ts";

const EVENT: NormalizedEvent = {
  id: "fb56ac83-6fc3-566a-a55e-09c93485a197",
  type: "github.pr.opened",
  workspaceId: "8f14e45f-ceea-467f-a8b8-1d2f6e0b9c11",
  occurredAt: "2026-01-02T03:04:05.678Z",
  source: "github",
  actor: { type: "user", id: "1", name: "octocat" },
  subject: { type: "pr", id: "7", name: "A\u0000title\ud800", url: "https://example.com/7" },
  payload: { number: 7 },
};

/** Reads the body as the SDK's receiver does, which checks it against the specification's schema. */
function received(event: NormalizedEvent): CloudEvent<unknown> {
  const { contentType, body } = cloudEventsFormat({ event, json: JSON.stringify(event) });
  const read = HTTP.toEvent({ headers: { "content-type": contentType }, body });
  assert.ok(read instanceof CloudEvent);
  assert.equal(read.validate(), true);
  return read;
}

Deno.test("normalizedFormat gives the event's own JSON", () => {
  const json = JSON.stringify(EVENT);
  assert.deepEqual(normalizedFormat({ event: EVENT, json }), { contentType: "application/json", body: json });
});

Deno.test("cloudEventsFormat makes what the CloudEvents SDK accepts, with everything that the event tells", () => {
  assert.deepEqual(JSON.parse(JSON.stringify(received(EVENT))), {
    specversion: "1.0",
    id: EVENT.id,
    source: "urn:inlet:source:github",
    type: "github.pr.opened",
    subject: "pr/7",
    time: "2026-01-02T03:04:05.678Z",
    datacontenttype: "application/json",
    workspaceid: EVENT.workspaceId,
    actortype: "user",
    actorid: "1",
    actorname: "octocat",
    subjecttype: "pr",
    subjectid: "7",
    subjectname: "A title\ufffd",
    subjecturl: "https://example.com/7",
    data: { number: 7 },
  });
});

Deno.test("cloudEventsFormat leaves out attributes that would be empty", () => {
  const { actorname, actorurl } = received({ ...EVENT, actor: { type: "user", id: "1", name: "" } });
  assert.deepEqual([actorname, actorurl], [undefined, undefined]);
});
