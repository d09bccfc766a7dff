import { gitlabEventTypes, gitlabPayloadSchemas } from "@inlet/gitlab-events";
import type { Delivery, EventDraft } from "../kit/mod.ts";
import { gitlab } from "./mod.ts";

/** The secret token that tests send along. */
export const TOKEN = "a secret token of a test";

/** When the deliveries of tests arrive: later than anything they tell of. */
export const RECEIVED_AT: Date = new Date("2030-01-01T00:00:00.000Z");

/** A delivery of a body with any headers. */
export function deliveryOf(body: unknown, headers: Record<string, string>): Delivery {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { headers: new Headers(headers), body: new TextEncoder().encode(text), receivedAt: RECEIVED_AT };
}

/** What the connector makes of a body; each payload has gone through the schema that is published for it. */
export function normalized(body: unknown): readonly EventDraft[] {
  const receiver = gitlab.open({ config: {}, secrets: { secretToken: TOKEN } });
  const { drafts } = receiver.receive(deliveryOf(body, { "x-gitlab-token": TOKEN }));
  for (const { type, payload } of drafts) {
    const known = gitlabEventTypes.find((each) => each === type);
    if (known === undefined) throw new Error(`${type} is no type of the package`);
    gitlabPayloadSchemas[known].parse(payload);
  }
  return drafts;
}

/** The types of what the connector makes of a body. */
export function typesOf(body: unknown): string[] {
  return normalized(body).map(({ type }) => type);
}

/** A small valid project, to build bodies with. */
export const PROJECT = { id: 15, path_with_namespace: "acme/rover", visibility_level: 20 };

/** A small valid push, to build bodies with. */
export const PUSH = {
  object_kind: "push",
  ref: "refs/heads/main",
  before: "a".repeat(40),
  after: "b".repeat(40),
  user_id: 4,
  user_username: "mira",
  project: PROJECT,
  commits: [{ id: "b".repeat(40), message: "Mend it\n\nAt last", timestamp: "2026-03-02T11:27:31+02:00" }],
};
