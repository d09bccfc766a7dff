import assert from "node:assert/strict";
import type { EventDraft } from "../../connectors/kit/mod.ts";
import { DeliveryLimitError } from "../errors.ts";
import { checkDrafts } from "./limits.ts";

const limits = { maxEventsPerDelivery: 3, maxJsonDepth: 4 };

function draft(payload: Record<string, unknown>): EventDraft {
  return {
    type: "sample.thing.made",
    occurredAt: new Date(0),
    actor: { type: "user", id: "1" },
    subject: { type: "thing", id: "1" },
    payload,
  };
}

Deno.test("checkDrafts lets as many events through as may be, and names the limit beyond", () => {
  const drafts = (count: number) => Array.from({ length: count }, () => draft({}));
  checkDrafts(drafts(3), limits);
  assert.throws(() => checkDrafts(drafts(4), limits), (error: Error) => {
    assert.ok(error instanceof DeliveryLimitError);
    return /it holds 4 events, and 3 are the most \(MAX_EVENTS_PER_DELIVERY\)/.test(error.message);
  });
});

Deno.test("checkDrafts lets payloads be as deep as may be, in objects and lists, and names the limit beyond", () => {
  checkDrafts([draft({ a: { b: { c: "text", d: null } } }), draft({ a: [[[1, true]], { b: [] }] })], limits);
  for (const payload of [{ a: { b: { c: { d: {} } } } }, { a: [1, [2, [[]]]] }, { first: 1, a: [{ b: [{}] }] }]) {
    assert.throws(() => checkDrafts([draft({}), draft(payload)], limits), (error: Error) => {
      assert.ok(error instanceof DeliveryLimitError);
      return /payload of sample\.thing\.made is nested deeper than 4 levels \(MAX_JSON_DEPTH\)/.test(error.message);
    });
  }
});

Deno.test("checkDrafts refuses a payload that would exhaust the stack", () => {
  const payload = JSON.parse(`{"a":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}}`);
  assert.throws(() => checkDrafts([draft(payload)], limits), DeliveryLimitError);
});
