import type { GithubCommit, GithubCommitPayload, GithubRefPayload } from "@inlet/github-events";
import { z } from "zod";
import {
  commitInput,
  commitOf,
  type EventDraft,
  flag,
  instant,
  list,
  objectId,
  present,
  pushDrafts,
  refNames,
  text,
} from "../kit/mod.ts";
import { actorOf, type Context, origin } from "./draft.ts";
import { generic } from "./generic.ts";
import { person, repositoryEnvelope } from "./input.ts";

// https://docs.github.com/webhooks/webhook-events-and-payloads#push

const commit = z.object({ ...commitInput, author: person, committer: person, distinct: flag })
  .transform((it): GithubCommit => ({
    ...commitOf(it),
    author: it.author ?? null,
    committer: it.committer ?? null,
    distinct: it.distinct ?? false,
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
  const { repository } = told;
  const refPayload: GithubRefPayload = {
    ...told,
    baseRef: body.base_ref ?? null,
    headCommit: body.head_commit ?? null,
  };
  const drafts = pushDrafts({
    source: "github",
    ref: body.ref,
    repositoryId: repository.id,
    folder: repository.url !== null && told.after !== null ? `${repository.url}/tree` : null,
    created: body.created ?? false,
    deleted: body.deleted ?? false,
    actor: pushedBy(body),
    pushedAt: instant(repository.pushedAt, context.delivery.receivedAt),
    refPayload,
    commits: present(body.commits),
    head: told.after,
    commitPayload: (commit): GithubCommitPayload => ({ ...commit, ...told }),
  });
  // GitHub documents no ref that is neither branch nor tag.
  return drafts.length > 0 ? drafts : generic(input, context);
}

function tell(body: Push): Omit<GithubRefPayload, "baseRef" | "headCommit"> {
  const { ref, forced, compare, pusher } = body;
  return {
    ref,
    ...refNames(ref),
    before: objectId(body.before),
    after: objectId(body.after),
    forced: forced ?? false,
    compareUrl: compare ?? null,
    pusher: pusher ?? null,
    ...origin(body),
  };
}

/** A push with a deploy key has no account of its own: then the pusher's name is all that GitHub tells. */
function pushedBy({ sender, pusher }: Push): EventDraft["actor"] {
  if (!sender && pusher?.name) return { type: "user", id: pusher.name, name: pusher.name };
  return actorOf(sender);
}
