import type { GitlabCommitPayload, GitlabRefPayload, GitlabUser } from "@inlet/gitlab-events";
import { z } from "zod";
import { type EventDraft, flag, list, number, objectId, present, pushDrafts, refNames, text } from "../kit/mod.ts";
import { generic } from "./generic.ts";
import { actorOf, commit, type Context, project } from "./input.ts";

// https://docs.gitlab.com/user/project/integrations/webhook_events/#push-events

const pushBody = z.object({
  ref: z.string(),
  before: z.string(),
  after: z.string(),
  ref_protected: flag,
  message: text,
  user_id: number,
  user_username: text,
  user_name: text,
  project,
  commits: list(commit),
  total_commits_count: number,
});

type Push = z.output<typeof pushBody>;

/** One draft for what happened to the branch or tag, if it was made or deleted, then one for each commit in order. */
export function push(input: unknown, context: Context): readonly EventDraft[] {
  const body = pushBody.parse(input);
  const told = tell(body);
  const { before, after, repository } = told;
  const commits = present(body.commits);
  const headCommit = commits.find(({ sha }) => sha === after) ?? null;
  const refPayload: GitlabRefPayload = { ...told, message: body.message ?? null, headCommit };
  const drafts = pushDrafts({
    source: "gitlab",
    ref: body.ref,
    repositoryId: repository.id,
    folder: repository.url === null ? null : `${repository.url}/-/tree`,
    created: before === null,
    deleted: after === null,
    actor: actorOf(told.pusher),
    pushedAt: context.delivery.receivedAt,
    refPayload,
    // With a tag comes the commit that it is on, which was pushed before.
    commits: told.tag === null ? commits : [],
    head: after,
    commitPayload: (commit): GitlabCommitPayload => ({ ...commit, ...told }),
  });
  // GitLab documents no ref that is neither branch nor tag.
  return drafts.length > 0 ? drafts : generic(input, context);
}

function tell(body: Push): Omit<GitlabRefPayload, "message" | "headCommit"> {
  return {
    ref: body.ref,
    ...refNames(body.ref),
    before: objectId(body.before),
    after: objectId(body.after),
    protected: body.ref_protected ?? false,
    totalCommits: body.total_commits_count ?? null,
    pusher: pusherOf(body),
    repository: body.project,
  };
}

function pusherOf({ user_id, user_username, user_name }: Push): GitlabUser | null {
  const pusher = { id: user_id ?? null, login: user_username ?? null, name: user_name ?? null };
  return Object.values(pusher).some((it) => it !== null) ? pusher : null;
}
