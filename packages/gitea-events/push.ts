import { gitPushShape } from "@inlet/events-core";
import { z } from "zod";
import { giteaCommitSchema, giteaOrigin, giteaUserSchema } from "./common.ts";

/** What every event of a push tells of the push. */
const push = {
  ...gitPushShape,
  compareUrl: z.string().nullable().describe("Page that shows what the push changed"),
  totalCommits: z.number().nullable().describe("How many commits were pushed; Gitea need not tell all of them"),
  pusher: giteaUserSchema.nullable().describe("Who pushed"),
  ...giteaOrigin,
};

/** Payload of `gitea.commit.pushed`: one commit of a push. */
export const giteaCommitPayloadSchema = z.object({ ...giteaCommitSchema.shape, ...push });

/** Payload of `gitea.commit.pushed`. */
export type GiteaCommitPayload = z.output<typeof giteaCommitPayloadSchema>;

/** Payload of `gitea.branch.*` and `gitea.tag.*`: what a push did to a branch or tag. */
export const giteaRefPayloadSchema = z.object({
  ...push,
  headCommit: giteaCommitSchema.nullable().describe("The commit the ref points to now; null if it was deleted"),
});

/** Payload of `gitea.branch.*` and `gitea.tag.*`. */
export type GiteaRefPayload = z.output<typeof giteaRefPayloadSchema>;

/** Payload of `gitea.ref.*`: a branch or tag that was made or deleted, be it by a push or on a page. */
export const giteaRefChangePayloadSchema = z.object({
  ref: z.string().describe("The branch's or tag's name"),
  refType: z.string().describe("branch or tag"),
  sha: z.string().nullable().describe("The commit it points to; null if it was deleted"),
  ...giteaOrigin,
});

/** Payload of `gitea.ref.*`. */
export type GiteaRefChangePayload = z.output<typeof giteaRefChangePayloadSchema>;
