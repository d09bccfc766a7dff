import type { GiteaForkPayload, GiteaReleasePayload, GiteaWikiPayload } from "@inlet/gitea-events";
import { z } from "zod";
import { flag, iso, list, number, present, subject, text, time, type Told } from "../kit/mod.ts";
import { account, envelope, repository, single } from "./input.ts";

/** `fork`: what Gitea calls `forkee` is what was forked, and `repository` what came of it, the other way than GitHub. */
export const fork = single(
  z.object({ ...envelope, forkee: repository }),
  ({ forkee, repository: fork }): Told<GiteaForkPayload> => ({
    subject: subject("fork", fork.id, fork.fullName, fork.url),
    at: fork.createdAt,
    payload: { fork, repository: forkee },
  }),
);

/** `wiki` */
export const wiki = single(
  z.object({ ...envelope, page: z.string(), comment: text }),
  ({ page: title, comment, repository }): Told<GiteaWikiPayload> => {
    // A lone surrogate, which JSON can carry, cannot be percent-encoded.
    const path = encodeURIComponent(title.toWellFormed());
    const page = { title, message: comment || null, url: repository.url && `${repository.url}/wiki/${path}` };
    const about = subject("wiki", `${repository.id}:${title}`, title, page.url);
    return { subject: about, at: null, payload: { page, repository } };
  },
);

const asset = z.object({ id: z.number(), name: z.string(), size: number, browser_download_url: text })
  .transform(({ id, name, size, browser_download_url }) => ({
    id,
    name,
    size: size ?? null,
    url: browser_download_url || null,
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
}).transform((it): GiteaReleasePayload["release"] => ({
  id: it.id,
  tag: it.tag_name,
  target: it.target_commitish || null,
  name: it.name ?? null,
  body: it.body ?? null,
  draft: it.draft ?? false,
  prerelease: it.prerelease ?? false,
  author: it.author ?? null,
  assets: present(it.assets),
  url: it.html_url || null,
  createdAt: iso(it.created_at),
  publishedAt: iso(it.published_at),
}));

/** `release` */
export const release = single(
  z.object({ ...envelope, release: releaseInput }),
  ({ release, repository }, { action }): Told<GiteaReleasePayload> => ({
    subject: subject("release", release.id, release.name || release.tag, release.url),
    at: action === "published" ? release.publishedAt : null,
    payload: { release, repository },
  }),
);
