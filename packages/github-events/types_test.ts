import { deepEqual, equal, ok } from "node:assert/strict";
import { EVENT_TYPE_PATTERN } from "@inlet/events-core";
import { emitterEventNames } from "@octokit/webhooks";
import examples from "@octokit/webhooks-examples" with { type: "json" };
import { z } from "zod";
import {
  GITHUB_ACTIONS,
  GITHUB_ENTITIES,
  GITHUB_EVENTS_WITHOUT_ACTION,
  GITHUB_PUSH_OUTCOMES,
  GithubEventType,
  githubEventType,
  githubEventTypes,
  isGithubEventType,
} from "./mod.ts";

// A repository_dispatch's action is its sender's choice, a push's types are told by its content, a ping is no event.
const apart = ["ping", "push", "repository_dispatch"];

const documented: string[] = emitterEventNames.filter((name) => !apart.some((event) => name.split(".")[0] === event));
const eventsWithActions = new Set(documented.filter((name) => name.includes(".")).map((name) => name.split(".")[0]));

const collected = z.array(z.object({
  name: z.string(),
  examples: z.array(z.object({ action: z.string().optional() })),
})).parse(examples).flatMap(({ name, examples }) => examples.map(({ action }) => ({ event: name, action })));

/** What is in the table, in the way that `emitterEventNames` writes it. */
const tabled = new Set([
  ...Object.entries(GITHUB_ACTIONS).flatMap(([event, actions]) => actions.map((action) => `${event}.${action}`)),
  ...Object.keys(GITHUB_EVENTS_WITHOUT_ACTION),
]);

Deno.test("the table has every event and action that npm @octokit/webhooks knows", () => {
  const missing = documented.filter((name) => !tabled.has(name) && !eventsWithActions.has(name));
  deepEqual(missing, [], `add to events.ts: ${missing.join(", ")}`);
});

Deno.test("the table has every event and action of npm @octokit/webhooks-examples", () => {
  const names = collected.filter(({ event }) => !apart.includes(event))
    .map(({ event, action }) => action === undefined ? event : `${event}.${action}`);
  const missing = [...new Set(names)].filter((name) => !tabled.has(name));
  deepEqual(missing, [], `add to events.ts: ${missing.join(", ")}`);
});

Deno.test("the table has nothing that neither of them knows", () => {
  const known = new Set([...emitterEventNames, ...collected.map(({ event, action }) => `${event}.${action}`)]);
  const surplus = [...tabled].filter((name) => !known.has(name));
  deepEqual(surplus, [], `not documented: ${surplus.join(", ")}`);
});

Deno.test("every documented event and action has a type of its own, and no type is left over", () => {
  const types = [...tabled].map((name) => {
    const [event = "", action = null] = name.split(".");
    return githubEventType(event, action);
  });
  equal(new Set(types).size, types.length);
  const others = [...GITHUB_PUSH_OUTCOMES.map((outcome) => `github.${outcome}`), GithubEventType.EVENT_RECEIVED];
  deepEqual([...types, ...others].sort(), [...githubEventTypes]);
});

Deno.test("a constant's name is its value in capitals", () => {
  for (const [name, type] of Object.entries(GithubEventType)) {
    equal(name, type.replace("github.", "").replace(".", "_").toUpperCase());
  }
  equal(GithubEventType.PR_OPENED, "github.pr.opened");
  equal(GithubEventType.COMMIT_PUSHED, "github.commit.pushed");
  equal(GithubEventType.PR_REVIEW_COMMENT_CREATED, "github.pr_review_comment.created");
  equal(GithubEventType.REF_CREATED, "github.ref.created");
});

Deno.test("types are unique, sorted and of the envelope's pattern", () => {
  equal(new Set(githubEventTypes).size, githubEventTypes.length);
  equal(githubEventTypes.length, Object.keys(GithubEventType).length);
  deepEqual([...githubEventTypes].sort(), githubEventTypes);
  for (const type of githubEventTypes) ok(EVENT_TYPE_PATTERN.test(type), type);
});

Deno.test("what is not documented has the type github.event.received", () => {
  const undocumented: [string, string | null][] = [
    ["added_later", "created"],
    ["issues", "added_later"],
    ["issues", null],
    // Our own names of entities are not GitHub's names of events.
    ...Object.values(GITHUB_ENTITIES).map((entity): [string, string] => [entity, "opened"]),
    ["ref", "created"],
    ["event", "received"],
    ["constructor", "name"],
    ["__proto__", null],
  ];
  for (const [event, action] of undocumented) equal(githubEventType(event, action), "github.event.received", event);
});

Deno.test("isGithubEventType knows the types and nothing else", () => {
  equal(githubEventTypes.every(isGithubEventType), true);
  for (const type of ["github.pr.added_later", "slack.message.posted", "toString", ""]) {
    equal(isGithubEventType(type), false, type);
  }
});
