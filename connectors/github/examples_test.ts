import { deepEqual, equal, ok } from "node:assert/strict";
import { actorSchema, subjectSchema } from "@inlet/events-core";
import { GithubEventType, githubPayloadSchemas, isGithubEventType } from "@inlet/github-events";
import examples from "@octokit/webhooks-examples" with { type: "json" };
import { z } from "zod";
import { github } from "./mod.ts";
import { normalized } from "./testing.ts";

// Every real payload that Octokit collected: https://github.com/octokit/webhooks
const collected = z.array(z.object({ name: z.string(), examples: z.array(z.record(z.string(), z.unknown())) }))
  .parse(examples)
  .flatMap(({ name: event, examples }) => examples.map((body, index) => ({ event, body, name: `${event}[${index}]` })));

/** The list: events that must not be told in the generic way. */
const typed = [
  "fork",
  "issue_comment",
  "issues",
  "pull_request",
  "pull_request_review",
  "push",
  "release",
  "star",
  "workflow_run",
];

Deno.test("examples: there are as many as there should be", () => {
  ok(collected.length >= 270, String(collected.length));
});

Deno.test("examples: all become at least one event, except a ping", () => {
  for (const { event, body, name } of collected) {
    equal(normalized(event, body).length > 0, event !== "ping", name);
  }
});

Deno.test("examples: nothing is emitted that the manifest's triggers do not list", () => {
  const triggers = new Set(github.manifest.triggers);
  for (const { event, body, name } of collected) {
    for (const { type } of normalized(event, body)) ok(triggers.has(type), `${name} became ${type}`);
  }
});

Deno.test("examples: all are documented, so none falls back to github.event.received", () => {
  for (const { event, body, name } of collected) {
    for (const { type } of normalized(event, body)) ok(type !== GithubEventType.EVENT_RECEIVED, name);
  }
});

Deno.test("examples: each payload is what its type's schema says, and holds nothing that the schema does not name", () => {
  for (const { event, body, name } of collected) {
    for (const { type, payload } of normalized(event, body)) {
      ok(isGithubEventType(type), name);
      // The schemas strip what they do not name: a difference is a field that nobody described.
      deepEqual(githubPayloadSchemas[type].parse(payload), payload, name);
      deepEqual(JSON.parse(JSON.stringify(payload)), payload, `${name} is JSON`);
    }
  }
});

Deno.test("examples: actor and subject are as the envelope wants them", () => {
  for (const { event, body, name } of collected) {
    for (const { actor, subject } of normalized(event, body)) {
      deepEqual(actorSchema.parse(actor), actor, name);
      deepEqual(subjectSchema.parse(subject), subject, name);
    }
  }
});

Deno.test("examples: the same delivery always becomes the same events", () => {
  for (const { event, body, name } of collected) deepEqual(normalized(event, body), normalized(event, body), name);
});

Deno.test("examples: the events of the issue's list have payloads of their own, all others the generic one", () => {
  for (const { event, body, name } of collected) {
    for (const { payload } of normalized(event, body)) equal("event" in payload, !typed.includes(event), name);
  }
  for (const event of typed) ok(collected.some((it) => it.event === event), `there is an example of ${event}`);
});

Deno.test("examples: generic payloads have the main object and name it as the type does", () => {
  for (const { event, body, name } of collected) {
    if (typed.includes(event)) continue;
    for (const { payload } of normalized(event, body)) {
      const { object } = z.object({ object: z.object({ type: z.string() }) }).parse(payload, { error: () => name });
      ok(object.type.length > 0);
    }
  }
});

Deno.test("examples: an action that GitHub adds later becomes github.event.received and keeps its essentials", () => {
  for (const { event, body, name } of collected) {
    if (typeof body.action !== "string" || event === "repository_dispatch") continue;
    const [draft] = normalized(event, { ...body, action: "added_later" });
    equal(draft?.type, GithubEventType.EVENT_RECEIVED, name);
    const told = githubPayloadSchemas["github.event.received"].parse(draft.payload);
    equal(told.event, event);
    equal(told.action, "added_later");
    ok(told.object, name);
  }
});

Deno.test("examples: an event that GitHub adds later becomes github.event.received", () => {
  for (const { body, name } of collected) {
    const [draft, ...more] = normalized("added_later", body);
    equal(draft?.type, GithubEventType.EVENT_RECEIVED, name);
    equal(more.length, 0, name);
  }
});
