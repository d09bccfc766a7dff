import type { Actor } from "@inlet/events-core";
import type { GiteaCommit, GiteaEventType, GiteaPerson, GiteaRepository, GiteaUser } from "@inlet/gitea-events";
import { z } from "zod";
import {
  commitInput,
  commitOf,
  type Delivery,
  type EventDraft,
  iso,
  singleDraft,
  text,
  time,
  type Told,
} from "../kit/mod.ts";

// What we read of the things that many of Gitea's deliveries share, each turned into what our payloads say of it.

/** What a normalizer is told besides the body. */
export interface Context {
  /** Gitea's name of the event, from the header. */
  readonly event: string;
  /** Gitea's name of the action; null if the event has none. */
  readonly action: string | null;
  /** The type of the one event that most deliveries become. */
  readonly type: GiteaEventType;
  readonly delivery: Delivery;
}

/** Turns a verified body into drafts. Throws a `ZodError` if the body is not what Gitea sends. */
export type Normalizer = (body: unknown, context: Context) => readonly EventDraft[];

/** An account. */
export const user = z.object({ id: z.number(), login: text, username: text, full_name: text, html_url: text })
  .transform((it): GiteaUser => ({
    id: it.id,
    login: it.login || it.username || String(it.id),
    name: it.full_name || null,
    url: it.html_url || null,
  }));

/** An account that may have been deleted. */
export const account = user.nullish();

/** Gitea gives its Actions an account of their own, with this number. */
const ACTIONS = -2;

/** The sender as an actor; Gitea itself where there is none. */
export function actorOf(sender: GiteaUser | null | undefined): Actor {
  if (!sender) return { type: "system", id: "gitea", name: "Gitea" };
  const { id, login, url } = sender;
  return { type: id === ACTIONS ? "bot" : "user", id: String(id), name: login, ...(url !== null && { url }) };
}

/** A repository. */
export const repository = z.object({
  id: z.number(),
  full_name: z.string(),
  private: z.boolean().nullish(),
  html_url: text,
  default_branch: text,
  created_at: time,
}).transform((it): GiteaRepository => ({
  id: it.id,
  fullName: it.full_name,
  private: it.private ?? true,
  url: it.html_url || null,
  defaultBranch: it.default_branch || null,
  createdAt: iso(it.created_at),
}));

/** Who a commit says made it. */
const person = z.object({ name: text, email: text, username: text })
  .transform(({ name, email, username }): GiteaPerson => ({
    name: name || null,
    email: email || null,
    username: username || null,
  })).nullish();

/** A commit. */
export const commit = z.object({ ...commitInput, author: person, committer: person })
  .transform((it): GiteaCommit => ({
    ...commitOf(it),
    author: it.author ?? null,
    committer: it.committer ?? null,
  }));

/** What a delivery tells of who caused it, and in which repository. */
export const envelope = { sender: account, repository } as const;

/** Makes the normalizer of an event whose deliveries always become exactly one draft. */
export function single<
  Body extends { readonly sender?: GiteaUser | null | undefined },
  Payload extends Record<string, unknown>,
>(schema: z.ZodType<Body>, tell: (body: Body, context: Context) => Told<Payload>): Normalizer {
  return singleDraft(schema, ({ sender }) => actorOf(sender), tell);
}
