import { z } from "zod";

/**
 * What the payload of `*.commit.pushed` tells of its commit, whichever host of code it comes from: a consumer bound to
 * them all can read this.
 */
export const gitCommitShape = {
  sha: z.string().describe("The commit's id"),
  message: z.string().describe("The whole message; empty where the commit has none"),
  url: z.string().nullable().describe("The commit's page"),
  timestamp: z.iso.datetime({ precision: 3 }).nullable()
    .describe("The commit's own time, which is when it was made and not when it was pushed"),
  added: z.array(z.string()).describe("Paths of files added"),
  removed: z.array(z.string()).describe("Paths of files removed"),
  modified: z.array(z.string()).describe("Paths of files modified"),
} as const;

/** What the payloads of `*.commit.pushed`, `*.branch.*` and `*.tag.*` tell of the push, whatever the host. */
export const gitPushShape = {
  ref: z.string().describe("The full ref that was pushed, such as refs/heads/main"),
  branch: z.string().nullable().describe("The branch's name, if the ref is a branch"),
  tag: z.string().nullable().describe("The tag's name, if the ref is a tag"),
  before: z.string().nullable().describe("The commit the ref pointed to before the push; null if it did not exist"),
  after: z.string().nullable().describe("The commit the ref points to after the push; null if it was deleted"),
} as const;
