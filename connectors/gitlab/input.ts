import type { Actor } from "@inlet/events-core";
import type { GitlabCommit, GitlabEventType, GitlabLabel, GitlabRepository, GitlabUser } from "@inlet/gitlab-events";
import { z } from "zod";
import {
  commitInput,
  commitOf,
  type Delivery,
  type EventDraft,
  number,
  singleDraft,
  text,
  type Told,
} from "../kit/mod.ts";

// What we read of the things that many of GitLab's deliveries share, each turned into what our payloads say of it.

/** What a normalizer is told besides the body. */
export interface Context {
  /** GitLab's name of the event: its `object_kind`, or the `event_name` of those that have none. */
  readonly kind: string;
  /** What happened, in GitLab's word; null where it names nothing. */
  readonly action: string | null;
  /** The type of the one event that most deliveries become. */
  readonly type: GitlabEventType;
  readonly delivery: Delivery;
}

/** Turns a verified body into drafts. Throws a `ZodError` if the body is not what GitLab documents. */
export type Normalizer = (body: unknown, context: Context) => readonly EventDraft[];

/** An account; some events leave its number out, job events its username. */
export const user = z.object({ id: number, username: text, name: text })
  .transform(({ id, username, name }): GitlabUser => ({ id: id ?? null, login: username ?? null, name: name ?? null }));

/** An account as the actor; GitLab itself where it names nobody. */
export function actorOf(user: GitlabUser | null | undefined): Actor {
  const id = user?.id ?? user?.login;
  if (!user || !id) return { type: "system", id: "gitlab", name: "GitLab" };
  const name = user.login ?? user.name;
  return { type: "user", id: String(id), ...(name !== null && { name }) };
}

/** GitLab's level of what everybody may see; 0 is for members, 10 for whoever is signed in. */
const PUBLIC = 20;

/** A project. */
export const project = z.object({
  id: z.number(),
  path_with_namespace: z.string(),
  visibility_level: number,
  web_url: text,
  default_branch: text,
}).transform((it): GitlabRepository => ({
  id: it.id,
  fullName: it.path_with_namespace,
  private: it.visibility_level !== PUBLIC,
  url: it.web_url ?? null,
  defaultBranch: it.default_branch ?? null,
}));

/** A label. */
export const label = z.object({ id: number, title: z.string(), color: text })
  .transform(({ id, title, color }): GitlabLabel => ({ id: id ?? null, name: title, color: color ?? null }));

/** A commit. */
export const commit = z.object({
  ...commitInput,
  author: z.object({ name: text, email: text })
    .transform(({ name, email }) => ({ name: name ?? null, email: email ?? null })).nullish(),
}).transform((it): GitlabCommit => ({ ...commitOf(it), author: it.author ?? null }));

/** What a delivery tells of who caused it, and in which project. */
export const envelope = { user: user.nullish(), project } as const;

/** Makes the normalizer of an event whose deliveries always become exactly one draft. */
export function single<
  Body extends { readonly user?: GitlabUser | null | undefined },
  Payload extends Record<string, unknown>,
>(schema: z.ZodType<Body>, tell: (body: Body, context: Context) => Told<Payload>): Normalizer {
  return singleDraft(schema, ({ user }) => actorOf(user), tell);
}
