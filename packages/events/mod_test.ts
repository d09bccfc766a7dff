import assert from "node:assert/strict";
import { GithubEventType, type InletEvent, type InletEventOf, parseEvent, payloadSchemas } from "./mod.ts";

const event = {
  id: "fb56ac83-6fc3-566a-a55e-09c93485a197",
  type: "webhook.invoice.paid",
  workspaceId: "8f14e45f-ceea-467f-a8b8-1d2f6e0b9c11",
  occurredAt: "2026-01-02T03:04:05.678Z",
  source: "webhook",
  actor: { type: "system", id: "webhook" },
  subject: { type: "invoice", id: "7" },
  payload: { type: "invoice.paid", data: { total: 7 } },
};

function told(event: InletEvent): string {
  if (event.type === GithubEventType.PR_OPENED) return event.payload.pullRequest.title;
  if (event.type === "email.message.received") return event.payload.subject ?? "";
  return event.type;
}

Deno.test("parseEvent reads a message's text and its value, and drops what the payload's schema does not know", () => {
  const more = { ...event, payload: { ...event.payload, color: "red" } };
  assert.deepEqual(parseEvent(JSON.stringify(more)), event);
  assert.deepEqual(parseEvent(more), event);
  assert.equal(told(parseEvent(more)), "webhook.invoice.paid");
});

Deno.test("an event's type tells its payload to the compiler", () => {
  const title = ({ payload }: InletEventOf<"github.pr.opened">): string => payload.pullRequest.title;
  // @ts-expect-error: a push has no pull request
  const wrong = ({ payload }: InletEventOf<"github.commit.pushed">): string => payload.pullRequest.title;
  assert.notEqual(title, wrong);
});

for (
  const [what, json, message] of [
    ["text that is not JSON", "{", /^Cannot read the event: it is not JSON$/],
    ["an envelope without id", { ...event, id: undefined }, /^Cannot read the event: \/id: /],
    ["a payload that does not fit", { ...event, payload: { type: 7 } }, /payload of webhook\.invoice\.paid: \/type: /],
    [
      "a type that is not known",
      { ...event, type: "acme.thing.made" },
      /acme\.thing\.made is no type that this version/,
    ],
    ["a type that only looks known", { ...event, type: "github.pr.to_string" }, /is no type/],
  ] as const
) {
  Deno.test(`parseEvent refuses ${what}`, () => {
    assert.throws(() => parseEvent(json), { name: "InvalidEventError", message });
  });
}

Deno.test("payloadSchemas has every source's types", () => {
  for (const type of ["github.pr.opened", "slack.message.posted", "device.custom.*", "webhook.*.*"] as const) {
    assert.ok(payloadSchemas[type], type);
  }
});
