import type { GithubReleasePayload } from "@inlet/github-events";
import { z } from "zod";
import { flag, iso, list, number, present, subject, text, time, type Told } from "../kit/mod.ts";
import { origin, single } from "./draft.ts";
import { account, change, repositoryEnvelope } from "./input.ts";

const asset = z.object({
  id: z.number(),
  name: z.string(),
  content_type: text,
  size: number,
  browser_download_url: text,
}).transform((it) => ({
  id: it.id,
  name: it.name,
  contentType: it.content_type ?? null,
  size: it.size ?? null,
  url: it.browser_download_url ?? null,
}));

const releaseInput = z.object({
  id: z.number(),
  tag_name: z.string(),
  target_commitish: text,
  name: text,
  body: text,
  draft: flag,
  prerelease: flag,
  author: account,
  assets: list(asset),
  html_url: text,
  created_at: time,
  published_at: time,
  updated_at: time,
});

const body = z.object({
  ...repositoryEnvelope,
  release: releaseInput,
  changes: z.object({ name: change, body: change, tag_name: change }).nullish(),
});

type Body = z.output<typeof body>;

/** https://docs.github.com/webhooks/webhook-events-and-payloads#release */
export const release = single(body, (body, { action }): Told<GithubReleasePayload> => {
  const it = body.release;
  return {
    subject: subject("release", it.id, it.name || it.tag_name, it.html_url ?? null),
    at: timeOf(body, action),
    payload: { release: tell(it), ...edit(body), ...origin(body) },
  };
});

/**
 * GitHub's `created_at` of a release is the time of the commit that is released
 * (https://docs.github.com/rest/releases/releases#get-the-latest-release), so it never tells when anything happened.
 */
function timeOf({ release }: Body, action: string | null): string | null {
  if (action === "deleted" || action === "unpublished") return null;
  return iso(action === "edited" ? release.updated_at : release.published_at);
}

function tell(it: Body["release"]): GithubReleasePayload["release"] {
  return {
    id: it.id,
    tag: it.tag_name,
    target: it.target_commitish ?? null,
    name: it.name ?? null,
    body: it.body ?? null,
    draft: it.draft ?? false,
    prerelease: it.prerelease ?? false,
    author: it.author ?? null,
    assets: present(it.assets),
    url: it.html_url ?? null,
    committedAt: iso(it.created_at),
    publishedAt: iso(it.published_at),
  };
}

function edit({ changes }: Body): Pick<GithubReleasePayload, "changes"> {
  if (!changes) return {};
  const { name, body, tag_name: tag } = changes;
  return { changes: { ...(name && { name }), ...(body && { body }), ...(tag && { tag }) } };
}
