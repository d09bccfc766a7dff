import { z } from "zod";
import { githubOrigin, githubPersonSchema, githubTimeSchema } from "./common.ts";

/** One commit. */
export const githubCommitSchema = z.object({
  sha: z.string(),
  message: z.string().describe("The whole message; empty where the commit has none"),
  url: z.string().nullable(),
  timestamp: githubTimeSchema.describe("The commit's own time, which is when it was made and not when it was pushed"),
  author: githubPersonSchema.nullable(),
  committer: githubPersonSchema.nullable(),
  distinct: z.boolean().describe("False if the commit was on another branch before"),
  added: z.array(z.string()).describe("Paths of files added"),
  removed: z.array(z.string()).describe("Paths of files removed"),
  modified: z.array(z.string()).describe("Paths of files modified"),
});

/** One commit. */
export type GithubCommit = z.output<typeof githubCommitSchema>;

/** What every event of a push tells of the push. */
const push = {
  ref: z.string().describe("The full ref that was pushed, such as refs/heads/main"),
  branch: z.string().nullable().describe("The branch's name, if the ref is a branch"),
  tag: z.string().nullable().describe("The tag's name, if the ref is a tag"),
  before: z.string().nullable().describe("The commit the ref pointed to before the push; null if it did not exist"),
  after: z.string().nullable().describe("The commit the ref points to after the push; null if it was deleted"),
  forced: z.boolean().describe("Whether the push was forced"),
  compareUrl: z.string().nullable().describe("Page that shows what the push changed"),
  pusher: githubPersonSchema.nullable(),
  ...githubOrigin,
};

/** Payload of `github.commit.pushed`: one commit of a push. */
export const githubCommitPayloadSchema = z.object({ ...githubCommitSchema.shape, ...push });

/** Payload of `github.commit.pushed`. */
export type GithubCommitPayload = z.output<typeof githubCommitPayloadSchema>;

/** Payload of `github.branch.*` and `github.tag.*`: what a push did to a branch or tag. */
export const githubRefPayloadSchema = z.object({
  ...push,
  baseRef: z.string().nullable().describe("The ref that a new ref was made from, where GitHub knows it"),
  headCommit: githubCommitSchema.nullable().describe("The commit the ref points to now; null if it was deleted"),
});

/** Payload of `github.branch.*` and `github.tag.*`. */
export type GithubRefPayload = z.output<typeof githubRefPayloadSchema>;
