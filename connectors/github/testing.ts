import { createHmac } from "node:crypto";
import type { Delivery, EventDraft } from "../kit/mod.ts";
import { github } from "./mod.ts";

/** The secret that tests sign with. */
export const SECRET = "It's a Secret to Everybody";

/** When the deliveries of tests arrive, unless they say otherwise: later than anything they tell of. */
export const RECEIVED_AT: Date = new Date("2030-01-01T00:00:00.000Z");

/** The signature of a body, as GitHub writes it. */
export function signature(body: Uint8Array, secret = SECRET): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}

/** A delivery of these bytes with a valid signature. */
export function signed(text: string, headers: Record<string, string>): Delivery {
  const body = new TextEncoder().encode(text);
  const all = { "content-type": "application/json", "x-hub-signature-256": signature(body), ...headers };
  return { headers: new Headers(all), body, receivedAt: RECEIVED_AT };
}

/** A delivery of an event with a valid signature. */
export function delivery(event: string, body: unknown): Delivery {
  return signed(JSON.stringify(body), { "x-github-event": event, "x-github-delivery": "a-delivery" });
}

/** What the connector makes of a delivery. */
export function draftsOf(it: Delivery, config: Record<string, unknown> = {}): readonly EventDraft[] {
  return github.open({ config, secrets: { webhookSecret: SECRET } }).receive(it).drafts;
}

/** What the connector makes of an event. */
export function normalized(event: string, body: unknown, config?: Record<string, unknown>): readonly EventDraft[] {
  return draftsOf(delivery(event, body), config);
}

/** The one draft that the connector makes of an event. Throws if it makes none, or several. */
export function only(event: string, body: unknown): EventDraft {
  const [draft, ...more] = normalized(event, body);
  if (draft === undefined || more.length > 0) throw new Error(`${event} became ${draft ? more.length + 1 : 0} events`);
  return draft;
}

/** A small valid account, to build bodies with. */
export const SENDER = { id: 7, login: "mira", type: "User", html_url: "https://github.com/mira" };

/** A small valid repository, to build bodies with. */
export const REPOSITORY = {
  id: 42,
  full_name: "acme/rover",
  private: false,
  html_url: "https://github.com/acme/rover",
  default_branch: "main",
  created_at: "2024-02-11T09:14:02Z",
  pushed_at: "2026-03-02T10:41:08Z",
};
