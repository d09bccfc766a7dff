import fc from "fast-check";
import assert from "node:assert/strict";
import { v5 } from "uuid";
import { deliveryKey, eventId } from "./identity.ts";

const WORKSPACE = "8f14e45f-ceea-467f-a8b8-1d2f6e0b9c11";

Deno.test("eventId is a UUIDv5 that never changes", () => {
  assert.equal(eventId(WORKSPACE, "github", "d-1", 0), "fb56ac83-6fc3-566a-a55e-09c93485a197");
});

Deno.test("eventId differs in workspace, connector, delivery and index", () => {
  const ids = [
    eventId(WORKSPACE, "github", "d", 0),
    eventId("9f14e45f-ceea-467f-a8b8-1d2f6e0b9c11", "github", "d", 0),
    eventId(WORKSPACE, "gitlab", "d", 0),
    eventId(WORKSPACE, "github", "e", 0),
    eventId(WORKSPACE, "github", "d", 1),
    eventId(WORKSPACE, "github", "d\n1", 0),
    eventId(WORKSPACE, "github", "d\n1\n0", 0),
    eventId(WORKSPACE, "github", "d1", 1),
    eventId(WORKSPACE, "github", "\ud800", 0),
    eventId(WORKSPACE, "github", "\udfff", 0),
    eventId(WORKSPACE, "github", "\ufffd", 0),
    eventId(WORKSPACE, "github", "\\ud800", 0),
  ];
  assert.equal(new Set(ids).size, ids.length);
});

Deno.test("ids are the UUIDv5 that npm uuid makes of the same name", () => {
  fc.assert(fc.property(fc.uuid(), fc.string({ unit: "binary" }), fc.nat(), (workspace, delivery, index) => {
    assert.equal(eventId(workspace, "github", delivery, index), v5(`github\n${delivery}\n${index}`, workspace));
    assert.equal(deliveryKey(workspace, "github", delivery).id, v5(`github\n${delivery}`, workspace));
  }));
});
