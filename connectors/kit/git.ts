import type { Actor, Subject } from "@inlet/events-core";
import { z } from "zod";
import type { EventDraft } from "./connector.ts";
import { subject } from "./draft.ts";
import { iso, list, present, text, time } from "./input.ts";
import { instant } from "./time.ts";

// What any host of git repositories tells of a push, in git's own terms (https://git-scm.com/docs/githooks#post-receive).

/** The name of the branch or tag that a full ref stands for; both null for a ref of another kind. */
export function refNames(ref: string): { branch: string | null; tag: string | null } {
  return { branch: after(ref, "refs/heads/"), tag: after(ref, "refs/tags/") };
}

/** A git object's id, or null: git writes "no object" as an id of zeros only. */
export function objectId(sha: string): string | null {
  return /^0+$/.test(sha) ? null : sha;
}

/** What hosts say of a commit in the same words; whose it is they say each in their own. */
export const commitInput = {
  id: z.string().min(1),
  message: text,
  url: text,
  timestamp: time,
  added: list(z.string()),
  removed: list(z.string()),
  modified: list(z.string()),
} as const;

/** A commit, as the payloads of all hosts tell it. */
export interface Commit {
  readonly sha: string;
  readonly message: string;
  readonly url: string | null;
  readonly timestamp: string | null;
  readonly added: string[];
  readonly removed: string[];
  readonly modified: string[];
}

/** Turns what {@link commitInput} reads into what payloads say. */
export function commitOf(it: z.output<z.ZodObject<typeof commitInput>>): Commit {
  return {
    sha: it.id,
    message: it.message ?? "",
    url: it.url ?? null,
    timestamp: iso(it.timestamp),
    added: present(it.added),
    removed: present(it.removed),
    modified: present(it.modified),
  };
}

/** A push, read. */
export interface Push<One extends Commit> {
  /** The connector's id, with which types begin. */
  readonly source: string;
  readonly ref: string;
  readonly repositoryId: number;
  /** Where the host shows what is in a ref, without the ref; null where there is no such page. */
  readonly folder: string | null;
  readonly created: boolean;
  readonly deleted: boolean;
  readonly actor: Actor;
  readonly pushedAt: Date;
  readonly refPayload: Record<string, unknown>;
  /** Those that the push brought, the oldest or the newest first. */
  readonly commits: readonly One[];
  /** The commit that the ref is at now; null if it was deleted. */
  readonly head: string | null;
  commitPayload(commit: One): Record<string, unknown>;
}

/**
 * One draft for what happened to the branch or tag, if it was made or deleted, then one for each commit, the oldest first. A
 * push that brings no commits (a branch set back, say) is still a fact, `updated`. None for a ref of another kind that brings
 * none.
 */
export function pushDrafts<One extends Commit>(push: Push<One>): readonly EventDraft[] {
  const { source, ref, created, deleted, actor, pushedAt, refPayload } = push;
  const commits = oldestFirst(push).map((commit): EventDraft => ({
    type: `${source}.commit.pushed`,
    occurredAt: instant(commit.timestamp, pushedAt),
    actor,
    subject: subject("commit", commit.sha, commit.message.split("\n", 1)[0]?.trimEnd() ?? "", commit.url),
    payload: push.commitPayload(commit),
  }));
  const { branch, tag } = refNames(ref);
  const isKnown = branch !== null || tag !== null;
  if (!isKnown || commits.length > 0 && !created && !deleted) return commits;
  const type = `${source}.${branch === null ? "tag" : "branch"}.${
    created ? "created" : deleted ? "deleted" : "updated"
  }`;
  const concerned = refSubject(ref, push.repositoryId, deleted ? null : push.folder);
  return [{ type, occurredAt: pushedAt, actor, subject: concerned, payload: refPayload }, ...commits];
}

/** GitHub and GitLab tell the oldest commit first, Gitea the newest: then the first is the one that the ref is at now. */
function oldestFirst<One extends Commit>({ commits, head }: Push<One>): readonly One[] {
  return commits[0]?.sha === head ? commits.toReversed() : commits;
}

/**
 * A branch or tag as the subject of an event.
 *
 * @param folder Where the repository's host shows what is in a ref, without the ref; null if there is nothing to show.
 */
export function refSubject(ref: string, repositoryId: number, folder: string | null): Subject {
  const { branch, tag } = refNames(ref);
  const name = branch ?? tag ?? ref;
  // A lone surrogate, which JSON can carry, cannot be percent-encoded.
  const path = name.toWellFormed().split("/").map(encodeURIComponent).join("/");
  const url = folder === null ? null : `${folder}/${path}`;
  return subject(branch === null ? "tag" : "branch", `${repositoryId}:${ref}`, name, url);
}

function after(ref: string, prefix: string): string | null {
  return ref.startsWith(prefix) ? ref.slice(prefix.length) : null;
}
