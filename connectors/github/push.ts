import { type GithubCommit, GithubEventType, type GithubRefPayload } from "@inlet/github-events";
import { z } from "zod";
import { type EventDraft, instant } from "../kit/mod.ts";
import { actorOf, type Context, origin, subject } from "./draft.ts";
import { generic } from "./generic.ts";
import { flag, iso, list, person, present, repositoryEnvelope, text, time } from "./input.ts";

// https://docs.github.com/webhooks/webhook-events-and-payloads#push

const commit = z.object({
  id: z.string().min(1),
  message: text,
  url: text,
  timestamp: time,
  author: person,
  committer: person,
  distinct: flag,
  added: list(z.string()),
  removed: list(z.string()),
  modified: list(z.string()),
}).transform((it): GithubCommit => ({
  sha: it.id,
  message: it.message ?? "",
  url: it.url ?? null,
  timestamp: iso(it.timestamp),
  author: it.author ?? null,
  committer: it.committer ?? null,
  distinct: it.distinct ?? false,
  added: present(it.added),
  removed: present(it.removed),
  modified: present(it.modified),
}));

const pushBody = z.object({
  ...repositoryEnvelope,
  ref: z.string(),
  before: z.string(),
  after: z.string(),
  created: flag,
  deleted: flag,
  forced: flag,
  base_ref: text,
  compare: text,
  commits: list(commit),
  head_commit: commit.nullish(),
  pusher: person,
});

type Push = z.output<typeof pushBody>;

/** One draft for what happened to the branch or tag, if it was made or deleted, then one for each commit in order. */
export function push(input: unknown, context: Context): readonly EventDraft[] {
  const body = pushBody.parse(input);
  const told = tell(body);
  const actor = pushedBy(body);
  const pushedAt = instant(body.repository.pushedAt, context.delivery.receivedAt);
  const commits = present(body.commits).map((commit): EventDraft => ({
    type: GithubEventType.COMMIT_PUSHED,
    occurredAt: instant(commit.timestamp, pushedAt),
    actor,
    subject: subject("commit", commit.sha, firstLine(commit.message), commit.url),
    payload: { ...commit, ...told },
  }));
  // A push that brings no commits (a branch set back, say) is still a fact.
  if (commits.length > 0 && !body.created && !body.deleted) return commits;
  const type = refType(told, body);
  if (type === undefined) return commits.length > 0 ? commits : generic(input, context);
  const payload: GithubRefPayload = { ...told, baseRef: body.base_ref ?? null, headCommit: body.head_commit ?? null };
  return [{ type, occurredAt: pushedAt, actor, subject: refSubject(payload), payload }, ...commits];
}

function tell(body: Push): Omit<GithubRefPayload, "baseRef" | "headCommit"> {
  const { ref, forced, compare, pusher } = body;
  return {
    ref,
    branch: after(ref, "refs/heads/"),
    tag: after(ref, "refs/tags/"),
    before: object(body.before),
    after: object(body.after),
    forced: forced ?? false,
    compareUrl: compare ?? null,
    pusher: pusher ?? null,
    ...origin(body),
  };
}

/** `undefined` for a ref that is neither branch nor tag, which GitHub does not document. */
function refType({ branch, tag }: { branch: string | null; tag: string | null }, body: Push): string | undefined {
  if (branch !== null) {
    if (body.created) return GithubEventType.BRANCH_CREATED;
    return body.deleted ? GithubEventType.BRANCH_DELETED : GithubEventType.BRANCH_UPDATED;
  }
  if (tag === null) return undefined;
  if (body.created) return GithubEventType.TAG_CREATED;
  return body.deleted ? GithubEventType.TAG_DELETED : GithubEventType.TAG_UPDATED;
}

function refSubject(payload: GithubRefPayload): EventDraft["subject"] {
  const { ref, branch, tag, repository } = payload;
  const name = branch ?? tag ?? ref;
  // A lone surrogate, which JSON can carry, cannot be percent-encoded.
  const path = name.toWellFormed().split("/").map(encodeURIComponent).join("/");
  const url = repository.url !== null && payload.after !== null ? `${repository.url}/tree/${path}` : null;
  return subject(branch === null ? "tag" : "branch", `${repository.id}:${ref}`, name, url);
}

/** A push with a deploy key has no account of its own: then the pusher's name is all that GitHub tells. */
function pushedBy({ sender, pusher }: Push): EventDraft["actor"] {
  if (!sender && pusher?.name) return { type: "user", id: pusher.name, name: pusher.name };
  return actorOf(sender);
}

function after(ref: string, prefix: string): string | null {
  return ref.startsWith(prefix) ? ref.slice(prefix.length) : null;
}

/** Git writes "no object" as an id of zeros only. */
function object(sha: string): string | null {
  return /^0+$/.test(sha) ? null : sha;
}

function firstLine(message: string): string {
  return message.split("\n", 1)[0]?.trimEnd() ?? "";
}
