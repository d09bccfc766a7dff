import type { Actor } from "@inlet/events-core";
import type { GithubEventType, GithubOrganization, GithubRepository, GithubUser } from "@inlet/github-events";
import type { z } from "zod";
import { type Delivery, type EventDraft, singleDraft, type Told } from "../kit/mod.ts";

/** What a normalizer is told besides the body. */
export interface Context {
  /** GitHub's name of the event, from the header. */
  readonly event: string;
  /** GitHub's name of the action; null if the event has none. */
  readonly action: string | null;
  /** The type of the one event that most deliveries become. */
  readonly type: GithubEventType;
  readonly delivery: Delivery;
}

/** Turns a verified body into drafts. Throws a `ZodError` if the body is not what GitHub documents. */
export type Normalizer = (body: unknown, context: Context) => readonly EventDraft[];

interface Sent {
  readonly sender?: GithubUser | null | undefined;
}

/** Makes the normalizer of an event whose deliveries always become exactly one draft. */
export function single<Body extends Sent, Payload extends Record<string, unknown>>(
  schema: z.ZodType<Body>,
  tell: (body: Body, context: Context) => Told<Payload>,
): Normalizer {
  return singleDraft(schema, ({ sender }) => actorOf(sender), tell);
}

const ACTOR_TYPES = new Map<string | null, Actor["type"]>([["Bot", "bot"], ["Organization", "organization"]]);

/** The sender as an actor; GitHub itself where there is none, as in advisories, or its account was deleted. */
export function actorOf(sender: GithubUser | null | undefined): Actor {
  if (!sender) return { type: "system", id: "github", name: "GitHub" };
  const { id, login, type, url } = sender;
  return { type: ACTOR_TYPES.get(type) ?? "user", id: String(id), name: login, ...(url !== null && { url }) };
}

/** Who a delivery was sent for. */
interface Recipient {
  readonly organization?: GithubOrganization | null | undefined;
  readonly installation?: { readonly id: number } | null | undefined;
}

/** What a payload says of the organization and the GitHub App installation that a delivery was sent for, if any. */
export function recipient(body: Recipient): { organization?: GithubOrganization; installationId?: number } {
  const { organization, installation } = body;
  return { ...(organization && { organization }), ...(installation && { installationId: installation.id }) };
}

/** What a payload says of where an event comes from, if it concerns a repository. */
export function origin(
  body: Recipient & { readonly repository: GithubRepository },
): { repository: GithubRepository; organization?: GithubOrganization; installationId?: number } {
  return { repository: body.repository, ...recipient(body) };
}
