import type { GithubObject, GithubUser } from "@inlet/github-events";
import { z } from "zod";
import { iso } from "../kit/mod.ts";
import { user } from "./input.ts";

/**
 * Names that GitHub calls the essentials of many things by. A thing may use one of them for something of another kind: then
 * it has no such essential, and is not refused.
 */
type Name =
  | "id"
  | "node_id"
  | "ghsa_id"
  | "number"
  | "title"
  | "full_name"
  | "login"
  | "context"
  | "name"
  | "summary"
  | "environment"
  | "property_name"
  | "state"
  | "status"
  | "conclusion"
  | "body"
  | "sha"
  | "head_sha"
  | "commit_id"
  | "user"
  | "creator"
  | "account"
  | "html_url"
  | "created_at"
  | "updated_at"
  | "started_at"
  | "completed_at"
  | "published_at"
  | "withdrawn_at"
  | "closed_at"
  | "fixed_at"
  | "dismissed_at"
  | "auto_dismissed_at"
  | "resolved_at"
  | "suspended_at"
  | "archived_at"
  | "deleted_at";

/** Anything at GitHub, as far as its essentials go. It is looked at and not copied: nothing here is passed on as it is. */
export const thing = z.custom<Readonly<Partial<Record<Name, unknown>>>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "expected an object",
);

/** What {@link thing} reads. */
export type Thing = z.output<typeof thing>;

/** The essentials of a thing. */
export function essentials(type: string, it: Thing): GithubObject {
  return {
    type,
    id: typeof it.id === "number" ? it.id : textOf(it.id, it.node_id, it.ghsa_id),
    number: typeof it.number === "number" ? it.number : null,
    // A repository has its full name here, a commit status its context: more than what they call `name`.
    name: textOf(it.title, it.full_name, it.login, it.context, it.name, it.summary, it.environment, it.property_name),
    state: textOf(it.state, it.status),
    conclusion: textOf(it.conclusion),
    body: textOf(it.body),
    sha: textOf(it.sha, it.head_sha, it.commit_id),
    user: userOf(it.user, it.creator, it.account),
    url: textOf(it.html_url),
    createdAt: iso(it.created_at),
    updatedAt: iso(it.updated_at),
  };
}

/** The first that is text and not empty. */
function textOf(...candidates: unknown[]): string | null {
  return candidates.find((it): it is string => typeof it === "string" && it !== "") ?? null;
}

function userOf(...candidates: unknown[]): GithubUser | null {
  const found = candidates.find((it) => it !== null && it !== undefined);
  return found === undefined ? null : user.safeParse(found).data ?? null;
}

type Moment = keyof Thing & `${string}_at`;

// Which of a thing's times an action sets; `updated_at` for all others.
const moments = new Map<string | null, readonly Moment[]>([
  ["archived", ["archived_at"]],
  ["auto_dismissed", ["auto_dismissed_at"]],
  ["closed", ["closed_at"]],
  ["closed_by_user", ["dismissed_at"]],
  ["completed", ["completed_at"]],
  ["create", ["created_at"]],
  ["created", ["created_at", "started_at"]],
  ["deleted", ["deleted_at"]],
  ["dismiss", ["dismissed_at"]],
  ["dismissed", ["dismissed_at"]],
  ["fixed", ["fixed_at"]],
  ["in_progress", ["started_at"]],
  ["published", ["published_at"]],
  ["queued", ["created_at"]],
  ["requested", ["created_at"]],
  ["resolve", ["resolved_at"]],
  ["resolved", ["resolved_at"]],
  ["suspend", ["suspended_at"]],
  ["waiting", ["created_at"]],
  ["withdrawn", ["withdrawn_at"]],
]);

/** When an action was done to a thing, as far as the thing's own times tell. */
export function momentOf(it: Thing, action: string | null): string | null {
  const own = (moments.get(action) ?? []).map((moment) => iso(it[moment])).find((at) => at !== null);
  // What is deleted was updated for the last time at some time before.
  return own ?? (action === "deleted" ? null : iso(it.updated_at));
}
