import type { GiteaCommitPayload, GiteaRefChangePayload, GiteaRefPayload } from "@inlet/gitea-events";
import { z } from "zod";
import {
  type EventDraft,
  list,
  number,
  objectId,
  present,
  pushDrafts,
  refNames,
  refSubject,
  text,
  type Told,
} from "../kit/mod.ts";
import { generic } from "./generic.ts";
import { account, actorOf, commit, type Context, envelope, single } from "./input.ts";

const pushBody = z.object({
  ...envelope,
  ref: z.string(),
  before: z.string(),
  after: z.string(),
  compare_url: text,
  commits: list(commit),
  total_commits: number,
  head_commit: commit.nullish(),
  pusher: account,
});

type Push = z.output<typeof pushBody>;

/**
 * One draft for what happened to the branch or tag, if it was made or deleted, then one for each commit in order. None
 * for a test delivery, which says that a ref went from a commit to the same one: nothing was pushed.
 */
export function push(input: unknown, context: Context): readonly EventDraft[] {
  const body = pushBody.parse(input);
  if (body.before === body.after) return [];
  const told = tell(body);
  const refPayload: GiteaRefPayload = { ...told, headCommit: body.head_commit ?? null };
  const drafts = pushDrafts({
    source: "gitea",
    ref: body.ref,
    repositoryId: body.repository.id,
    folder: folderOf(body.repository.url, told.branch === null ? "tag" : "branch"),
    created: told.before === null,
    deleted: told.after === null,
    actor: actorOf(body.sender ?? body.pusher),
    pushedAt: context.delivery.receivedAt,
    refPayload,
    commits: present(body.commits),
    head: told.after,
    commitPayload: (commit): GiteaCommitPayload => ({ ...commit, ...told }),
  });
  // Gitea sends no ref that is neither branch nor tag.
  return drafts.length > 0 ? drafts : generic(input, context);
}

function tell(body: Push): Omit<GiteaRefPayload, "headCommit"> {
  return {
    ref: body.ref,
    ...refNames(body.ref),
    before: objectId(body.before),
    after: objectId(body.after),
    compareUrl: body.compare_url || null,
    totalCommits: body.total_commits ?? null,
    pusher: body.pusher ?? null,
    repository: body.repository,
  };
}

function folderOf(url: string | null, kind: string): string | null {
  return url === null ? null : `${url}/src/${kind}`;
}

/** `create` and `delete`: a branch or tag, by its name alone. */
export const refChange = single(
  z.object({ ...envelope, ref: z.string(), ref_type: z.string(), sha: text }),
  ({ ref, ref_type, sha, repository }, { event }): Told<GiteaRefChangePayload> => {
    const full = ref.startsWith("refs/") ? ref : `refs/${ref_type === "tag" ? "tags" : "heads"}/${ref}`;
    const folder = event === "delete" ? null : folderOf(repository.url, ref_type);
    return {
      subject: refSubject(full, repository.id, folder),
      at: null,
      payload: { ref, refType: ref_type, sha: sha || null, repository },
    };
  },
);
