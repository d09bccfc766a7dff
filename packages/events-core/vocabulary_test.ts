import { deepEqual, equal } from "node:assert/strict";
import { z } from "zod";
import { eventTypeConstants, payloadSchemasOf } from "./vocabulary.ts";

const words = { pr: ["closed", "opened"], pr_comment: ["created"] } as const;

Deno.test("eventTypeConstants names every action of every entity", () => {
  const types = eventTypeConstants("acme", words);
  deepEqual(types, {
    PR_CLOSED: "acme.pr.closed",
    PR_OPENED: "acme.pr.opened",
    PR_COMMENT_CREATED: "acme.pr_comment.created",
  });
  const opened: "acme.pr.opened" = types.PR_OPENED;
  equal(opened, "acme.pr.opened");
});

Deno.test("payloadSchemasOf gives each type its entity's schema, and the other one where it has none", () => {
  const [pr, other] = [z.object({ pr: z.number() }), z.object({ event: z.string() })];
  const types = Object.values(eventTypeConstants("acme", words));
  const schemas = payloadSchemasOf(types, { pr }, other);
  deepEqual(Object.keys(schemas), types);
  equal(schemas["acme.pr.closed"], pr);
  equal(schemas["acme.pr_comment.created"], other);
  const told: { pr: number } = schemas["acme.pr.opened"].parse({ pr: 1 });
  equal(told.pr, 1);
});
