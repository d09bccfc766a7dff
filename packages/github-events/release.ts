import { z } from "zod";
import { githubChangeSchema, githubOrigin, githubTimeSchema, githubUserSchema } from "./common.ts";

/** A file attached to a release. */
export const githubReleaseAssetSchema = z.object({
  id: z.number(),
  name: z.string(),
  contentType: z.string().nullable(),
  size: z.number().nullable().describe("Bytes"),
  url: z.string().nullable().describe("Where to download it"),
});

/** A release. */
export const githubReleaseSchema = z.object({
  id: z.number(),
  tag: z.string().describe("Name of the tag"),
  target: z.string().nullable().describe("Branch or commit that the tag is made from, if it does not exist yet"),
  name: z.string().nullable(),
  body: z.string().nullable(),
  draft: z.boolean(),
  prerelease: z.boolean(),
  author: githubUserSchema.nullable().describe("Null if the account was deleted"),
  assets: z.array(githubReleaseAssetSchema),
  url: z.string().nullable(),
  committedAt: githubTimeSchema.describe("Time of the commit that is released; GitHub calls it created_at"),
  publishedAt: githubTimeSchema,
});

/** A release. */
export type GithubRelease = z.output<typeof githubReleaseSchema>;

/** Payload of `github.release.*`. */
export const githubReleasePayloadSchema = z.object({
  release: githubReleaseSchema,
  changes: z.object({
    name: githubChangeSchema.optional(),
    body: githubChangeSchema.optional(),
    tag: githubChangeSchema.optional(),
  }).optional().describe("What an edit replaced: with edited"),
  ...githubOrigin,
});

/** Payload of `github.release.*`. */
export type GithubReleasePayload = z.output<typeof githubReleasePayloadSchema>;
