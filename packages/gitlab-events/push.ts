import { gitPushShape } from "@inlet/events-core";
import { z } from "zod";
import { gitlabCommitSchema, gitlabOrigin, gitlabUserSchema } from "./common.ts";

/** What every event of a push tells of the push. */
const push = {
  ...gitPushShape,
  protected: z.boolean().describe("Whether the branch or tag is a protected one"),
  totalCommits: z.number().nullable().describe("How many commits were pushed; GitLab tells the newest 20 of them"),
  pusher: gitlabUserSchema.nullable().describe("Who pushed"),
  ...gitlabOrigin,
};

/** Payload of `gitlab.commit.pushed`: one commit of a push. */
export const gitlabCommitPayloadSchema = z.object({ ...gitlabCommitSchema.shape, ...push });

/** Payload of `gitlab.commit.pushed`. */
export type GitlabCommitPayload = z.output<typeof gitlabCommitPayloadSchema>;

/** Payload of `gitlab.branch.*` and `gitlab.tag.*`: what a push did to a branch or tag. */
export const gitlabRefPayloadSchema = z.object({
  ...push,
  message: z.string().nullable().describe("What an annotated tag says"),
  headCommit: gitlabCommitSchema.nullable().describe("The commit the ref points to now, where GitLab tells it"),
});

/** Payload of `gitlab.branch.*` and `gitlab.tag.*`. */
export type GitlabRefPayload = z.output<typeof gitlabRefPayloadSchema>;
