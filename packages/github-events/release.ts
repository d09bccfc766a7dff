import { z } from "zod";
import { githubChangeSchema, githubOrigin, githubTimeSchema, githubUserSchema } from "./common.ts";

/** A file attached to a release. */
export const githubReleaseAssetSchema = z.object({
  id: z.number().describe("GitHub's stable number of the file"),
  name: z.string().describe("Name of the file"),
  contentType: z.string().nullable().describe("The kind of file, as its media type"),
  size: z.number().nullable().describe("Bytes"),
  url: z.string().nullable().describe("Where to download it"),
});

/** A release. */
export const githubReleaseSchema = z.object({
  id: z.number().describe("GitHub's stable number of the release"),
  tag: z.string().describe("Name of the tag"),
  target: z.string().nullable().describe("Branch or commit that the tag is made from, if it does not exist yet"),
  name: z.string().nullable().describe("The release's title"),
  body: z.string().nullable().describe("The release notes, in Markdown"),
  draft: z.boolean().describe("Whether it is not published yet"),
  prerelease: z.boolean().describe("Whether it is marked as not ready for production"),
  author: githubUserSchema.nullable().describe("Null if the account was deleted"),
  assets: z.array(githubReleaseAssetSchema).describe("Files attached to it"),
  url: z.string().nullable().describe("Its page"),
  committedAt: githubTimeSchema.describe("Time of the commit that is released; GitHub calls it created_at"),
  publishedAt: githubTimeSchema.describe("When it was published; null for a draft"),
});

/** A release. */
export type GithubRelease = z.output<typeof githubReleaseSchema>;

/** Payload of `github.release.*`. */
export const githubReleasePayloadSchema = z.object({
  release: githubReleaseSchema.describe("The release"),
  changes: z.object({
    name: githubChangeSchema.optional().describe("The title before"),
    body: githubChangeSchema.optional().describe("The notes before"),
    tag: githubChangeSchema.optional().describe("The tag before"),
  }).optional().describe("What an edit replaced: with edited"),
  ...githubOrigin,
});

/** Payload of `github.release.*`. */
export type GithubReleasePayload = z.output<typeof githubReleasePayloadSchema>;
