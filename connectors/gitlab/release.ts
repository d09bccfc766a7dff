import type { GitlabReleasePayload, GitlabWikiPayload } from "@inlet/gitlab-events";
import { z } from "zod";
import { iso, list, present, subject, text, time, type Told } from "../kit/mod.ts";
import { envelope, single } from "./input.ts";

const link = z.object({ name: z.string(), link_type: text, url: text })
  .transform(({ name, link_type, url }) => ({ name, type: link_type ?? null, url: url ?? null }));

const releaseBody = z.object({
  ...envelope,
  id: z.number(),
  tag: z.string(),
  name: text,
  description: text,
  url: text,
  created_at: time,
  released_at: time,
  assets: z.object({ links: list(link) }).nullish(),
  commit: z.object({ id: z.string() }).nullish(),
});

/** https://docs.gitlab.com/user/project/integrations/webhook_events/#release-events */
export const release = single(releaseBody, ({ project, ...it }, { action }): Told<GitlabReleasePayload> => {
  const release = {
    id: it.id,
    tag: it.tag,
    name: it.name ?? null,
    body: it.description ?? null,
    commitSha: it.commit?.id ?? null,
    assets: present(it.assets?.links),
    url: it.url ?? null,
    createdAt: iso(it.created_at),
    publishedAt: iso(it.released_at),
  };
  return {
    subject: subject("release", release.id, release.name || release.tag, release.url),
    at: action === "create" ? release.createdAt : null,
    payload: { release, repository: project },
  };
});

const page = z.object({
  slug: z.string(),
  title: text,
  content: text,
  format: text,
  message: text,
  version_id: text,
  url: text,
}).transform((it): GitlabWikiPayload["page"] => ({
  slug: it.slug,
  title: it.title ?? null,
  body: it.content ?? null,
  format: it.format ?? null,
  message: it.message ?? null,
  version: it.version_id ?? null,
  url: it.url ?? null,
}));

/** https://docs.gitlab.com/user/project/integrations/webhook_events/#wiki-page-events */
export const wiki = single(
  z.object({ ...envelope, object_attributes: page }),
  ({ object_attributes: page, project }): Told<GitlabWikiPayload> => ({
    subject: subject("wiki", `${project.id}:${page.slug}`, page.title, page.url),
    at: null,
    payload: { page, repository: project },
  }),
);
