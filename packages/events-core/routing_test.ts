import assert from "node:assert/strict";
import { bindingFor, parseEventType, parseRoutingKey, routingKeyOf } from "./routing.ts";
import { topicMatches } from "./topic.ts";

const event = {
  type: "github.pr.opened",
  source: "github",
  workspaceId: "8f14e45f-ceea-467f-a8b8-1d2f6e0b9c11",
};
const TEMPLATE = "v1.{workspaceId}.{source}.{type}";
const KEY = "v1.8f14e45f-ceea-467f-a8b8-1d2f6e0b9c11.github.github.pr.opened";

Deno.test("routingKeyOf is the event's type, or what the template makes of it", () => {
  assert.equal(routingKeyOf(event), "github.pr.opened");
  assert.equal(routingKeyOf(event, TEMPLATE), KEY);
});

Deno.test("routingKeyOf refuses a key that AMQP cannot carry", () => {
  assert.throws(() => routingKeyOf(event, `${"x".repeat(250)}.{type}`), { name: "TypeError", message: /255 bytes/ });
});

Deno.test("parseRoutingKey gives back what routingKeyOf was given", () => {
  assert.deepEqual(parseRoutingKey("github.pr.opened"), { type: "github.pr.opened" });
  assert.deepEqual(parseRoutingKey(KEY, TEMPLATE), event);
  for (const key of ["github.pr", "github.pr.opened.again", "", `${KEY}.x`, KEY.replace("v1", "v2")]) {
    assert.equal(parseRoutingKey(key, key.startsWith("v") ? TEMPLATE : "{type}"), undefined, key);
  }
});

Deno.test("parseRoutingKey takes a template's own signs as they are", () => {
  assert.equal(parseRoutingKey("v1xgithub", "v1.{source}"), undefined);
  assert.deepEqual(parseRoutingKey("v1+.github", "v1+.{source}"), { source: "github" });
});

Deno.test("bindingFor takes the events that it names and no others", () => {
  assert.equal(bindingFor({ entity: "pr" }), "*.pr.*");
  assert.equal(bindingFor({ source: "github", action: "opened" }), "github.*.opened");
  const binding = bindingFor({ entity: "pr", workspaceId: event.workspaceId }, TEMPLATE);
  assert.ok(topicMatches(binding, KEY));
  assert.ok(!topicMatches(binding, KEY.replace(".pr.", ".issue.")));
});

Deno.test("a template that names what there is not is refused, with the names there are", () => {
  const expected = { name: "TypeError", message: /\{id\} is none of \{type\}, \{source\}, \{workspaceId\}/ };
  assert.throws(() => routingKeyOf(event, "{id}"), expected);
  assert.throws(() => bindingFor({}, "{id}"), expected);
  assert.throws(() => parseRoutingKey("7", "{id}"), expected);
});

Deno.test("parseEventType splits a type, and refuses what is none", () => {
  assert.deepEqual(parseEventType(event.type), { source: "github", entity: "pr", action: "opened" });
  for (const type of ["github.pr", "github.pr.*", "a.b.c.d", ""]) {
    assert.throws(() => parseEventType(type), { name: "TypeError" });
  }
});
