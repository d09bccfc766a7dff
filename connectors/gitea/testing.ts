import { createHmac } from "node:crypto";
import type { Delivery, EventDraft } from "../kit/mod.ts";
import { gitea } from "./mod.ts";

/** The secret that tests sign with. */
export const SECRET = "It's a Secret to Everybody";

/** When the deliveries of tests arrive: later than anything they tell of. */
export const RECEIVED_AT: Date = new Date("2030-01-01T00:00:00.000Z");

/** The signature of a text, as Gitea and Forgejo write it. */
export function signatureOf(text: string): string {
  return createHmac("sha256", SECRET).update(text).digest("hex");
}

/** A delivery of a text with any headers. */
export function deliveryOf(text: string, headers: Record<string, string>): Delivery {
  return { headers: new Headers(headers), body: new TextEncoder().encode(text), receivedAt: RECEIVED_AT };
}

/** What the connector makes of a delivery. */
export function draftsOf(delivery: Delivery): readonly EventDraft[] {
  return gitea.open({ config: {}, secrets: { webhookSecret: SECRET } }).receive(delivery).drafts;
}

/** What the connector makes of an event; each payload has gone through the schema that is published for it. */
export function normalized(event: string, body: unknown, more: Record<string, string> = {}): readonly EventDraft[] {
  const text = JSON.stringify(body);
  const drafts = draftsOf(
    deliveryOf(text, { "x-gitea-signature": signatureOf(text), "x-gitea-event": event, ...more }),
  );
  const schemas = new Map(Object.entries(gitea.payloads));
  for (const { type, payload } of drafts) schemas.get(type)?.parse(payload);
  return drafts;
}

/** The types of what the connector makes of an event. */
export function typesOf(event: string, body: unknown): string[] {
  return normalized(event, body).map(({ type }) => type);
}

/** A small valid account, to build bodies with. */
export const SENDER = { id: 1, login: "mira" };

/** A small valid repository, to build bodies with. */
export const REPOSITORY = { id: 140, full_name: "acme/rover", html_url: "https://gitea.example.com/acme/rover" };

/** A small valid push, to build bodies with. */
export const PUSH = {
  ref: "refs/heads/main",
  before: "a".repeat(40),
  after: "b".repeat(40),
  commits: [{ id: "b".repeat(40), message: "Mend it", timestamp: "2026-03-02T11:27:31Z" }],
  repository: REPOSITORY,
  sender: SENDER,
};
