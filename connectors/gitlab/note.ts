import type { GitlabComment, GitlabCommentPayload, GitlabSnippet } from "@inlet/gitlab-events";
import { z } from "zod";
import { flag, iso, number, subject, text, time, type Told } from "../kit/mod.ts";
import { commit, envelope, single } from "./input.ts";
import { issueInput, pullRequestInput } from "./issue.ts";

const comment = z.object({
  id: z.number(),
  note: text,
  author_id: number,
  system: flag,
  internal: flag,
  url: text,
  created_at: time,
  updated_at: time,
}).transform((it): GitlabComment => ({
  id: it.id,
  body: it.note ?? null,
  authorId: it.author_id ?? null,
  system: it.system ?? false,
  internal: it.internal ?? false,
  url: it.url ?? null,
  createdAt: iso(it.created_at),
  updatedAt: iso(it.updated_at),
}));

const snippet = z.object({ id: z.number(), title: z.string(), file_name: text, url: text })
  .transform(({ id, title, file_name, url }): GitlabSnippet => ({
    id,
    title,
    fileName: file_name ?? null,
    url: url ?? null,
  }));

const body = z.object({
  ...envelope,
  object_attributes: comment,
  issue: issueInput.nullish(),
  merge_request: pullRequestInput.nullish(),
  commit: commit.nullish(),
  snippet: snippet.nullish(),
});

/** https://docs.gitlab.com/user/project/integrations/webhook_events/#comment-events */
export const note = single(body, (body, { type, action }): Told<GitlabCommentPayload> => {
  const { object_attributes: comment, issue, merge_request, commit, snippet, project } = body;
  const title = issue?.title ?? merge_request?.title ?? snippet?.title ?? null;
  return {
    subject: subject(type.split(".")[1] ?? "comment", comment.id, title, comment.url),
    at: action === "update" ? comment.updatedAt : comment.createdAt,
    payload: {
      comment,
      ...(issue && { issue }),
      ...(merge_request && { pullRequest: merge_request }),
      ...(commit && { commit }),
      ...(snippet && { snippet }),
      repository: project,
    },
  };
});
