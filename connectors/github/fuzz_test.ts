import { ok } from "node:assert/strict";
import {
  GITHUB_ACTIONS,
  GITHUB_EVENTS_WITHOUT_ACTION,
  githubPayloadSchemas,
  isGithubEventType,
} from "@inlet/github-events";
import { normalizedEventSchema } from "@inlet/events-core";
import examples from "@octokit/webhooks-examples" with { type: "json" };
import fc from "fast-check";
import { z } from "zod";
import { ShapeError } from "../kit/mod.ts";
import { normalized } from "./testing.ts";

const events = [...Object.keys(GITHUB_ACTIONS), ...Object.keys(GITHUB_EVENTS_WITHOUT_ACTION), "push", "ping"];
const anyEvent = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...events) },
  fc.constantFrom("__proto__", "constructor", "toString", "pr", "event", ""),
  fc.stringMatching(/^[a-z_]{1,20}$/),
);
const collected = z.array(z.object({ name: z.string(), examples: z.array(z.record(z.string(), z.unknown())) }))
  .parse(examples)
  .flatMap(({ name, examples }) => examples.map((body) => ({ event: name, body })));

/** Normalizes; the only way to refuse is to say what is wrong, and what is accepted is valid in every part. */
function acceptsOrExplains(event: string, body: unknown): void {
  let drafts;
  try {
    drafts = normalized(event, body);
  } catch (error) {
    ok(error instanceof ShapeError, `threw ${error}`);
    ok(error.faults.length > 0 && error.faults.every(({ detail }) => detail !== ""));
    return;
  }
  for (const { type, occurredAt, payload, ...draft } of drafts) {
    ok(isGithubEventType(type), type);
    githubPayloadSchemas[type].parse(payload);
    normalizedEventSchema.parse({
      ...draft,
      type,
      payload,
      occurredAt: occurredAt.toISOString(),
      id: "b5a0f3f4-3c5e-5d8e-9a43-0d9c2f1c7a11",
      workspaceId: "b5a0f3f4-3c5e-5d8e-9a43-0d9c2f1c7a11",
      source: "github",
    });
  }
}

Deno.test("fuzz: any JSON as the body of any event is accepted whole, or refused with what is wrong", () => {
  fc.assert(fc.property(anyEvent, fc.jsonValue(), (event, body) => acceptsOrExplains(event, body)), { numRuns: 1000 });
});

Deno.test("fuzz: a real body with one value replaced by any JSON is accepted whole, or refused with what is wrong", () => {
  const replaced = fc.tuple(fc.constantFrom(...collected), fc.nat(), fc.jsonValue({ maxDepth: 1 }), fc.nat());
  fc.assert(
    fc.property(replaced, ([{ event, body }, at, value, depth]) => {
      acceptsOrExplains(event, replace(body, depth % 3, at, value));
    }),
    { numRuns: 2000 },
  );
});

/** A copy of `body` in which the `at`th value, `depth` levels down, is `value`. */
function replace(body: unknown, depth: number, at: number, value: unknown): unknown {
  if (typeof body !== "object" || body === null) return value;
  const entries = Object.entries(body);
  if (entries.length === 0) return value;
  const [key, old] = entries[at % entries.length] ?? ["", undefined];
  const made = depth === 0 ? value : replace(old, depth - 1, at, value);
  if (Array.isArray(body)) return body.map((item, index) => String(index) === key ? made : item);
  return { ...body, [key]: made };
}
