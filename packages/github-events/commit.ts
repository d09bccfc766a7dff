import { gitCommitShape, gitPushShape } from "@inlet/events-core";
import { z } from "zod";
import { githubOrigin, githubPersonSchema } from "./common.ts";

/** One commit. */
export const githubCommitSchema = z.object({
  ...gitCommitShape,
  author: githubPersonSchema.nullable().describe("Who the commit says made it, proven by nobody"),
  committer: githubPersonSchema.nullable().describe("Who the commit says put it there, proven by nobody"),
  distinct: z.boolean().describe("False if the commit was on another branch before"),
});

/** One commit. */
export type GithubCommit = z.output<typeof githubCommitSchema>;

/** What every event of a push tells of the push. */
const push = {
  ...gitPushShape,
  forced: z.boolean().describe("Whether the push was forced"),
  compareUrl: z.string().nullable().describe("Page that shows what the push changed"),
  pusher: githubPersonSchema.nullable().describe("Who pushed"),
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
