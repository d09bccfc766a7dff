import { z } from "zod";
import { githubOrigin, githubRepositorySchema, githubTimeSchema } from "./common.ts";

/** Payload of `github.star.*`. Who starred is the event's actor. */
export const githubStarPayloadSchema = z.object({
  starredAt: githubTimeSchema.describe("Null when the star was taken back"),
  ...githubOrigin,
});

/** Payload of `github.star.*`. */
export type GithubStarPayload = z.output<typeof githubStarPayloadSchema>;

/** Payload of `github.fork.created`: `repository` is what was forked, `fork` is what came of it. */
export const githubForkPayloadSchema = z.object({
  fork: githubRepositorySchema.describe("The new repository"),
  ...githubOrigin,
});

/** Payload of `github.fork.created`. */
export type GithubForkPayload = z.output<typeof githubForkPayloadSchema>;
