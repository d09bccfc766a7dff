import type { EventOf } from "@inlet/events-core";
import type { z } from "zod";
import { githubCommitPayloadSchema, githubRefPayloadSchema } from "./commit.ts";
import { githubGenericPayloadSchema } from "./generic.ts";
import { githubIssueCommentPayloadSchema, githubIssuePayloadSchema } from "./issue.ts";
import { githubPrPayloadSchema, githubPrReviewPayloadSchema } from "./pull_request.ts";
import { githubReleasePayloadSchema } from "./release.ts";
import { githubForkPayloadSchema, githubStarPayloadSchema } from "./repository.ts";
import { type GithubEventType, githubEventTypes } from "./types.ts";
import { githubWorkflowRunPayloadSchema } from "./workflow_run.ts";

const typed = {
  branch: githubRefPayloadSchema,
  commit: githubCommitPayloadSchema,
  fork: githubForkPayloadSchema,
  issue: githubIssuePayloadSchema,
  issue_comment: githubIssueCommentPayloadSchema,
  pr: githubPrPayloadSchema,
  pr_review: githubPrReviewPayloadSchema,
  release: githubReleasePayloadSchema,
  star: githubStarPayloadSchema,
  tag: githubRefPayloadSchema,
  workflow_run: githubWorkflowRunPayloadSchema,
} as const;

type Typed = typeof typed;

/** The schema of one event type's payload. */
export type GithubPayloadSchema<Type extends GithubEventType> = Type extends `github.${infer Entity}.${string}`
  ? Entity extends keyof Typed ? Typed[Entity] : typeof githubGenericPayloadSchema
  : never;

/** The payload of one event type: `GithubPayload<"github.pr.opened">` has a `pullRequest`. */
export type GithubPayload<Type extends GithubEventType> = z.output<GithubPayloadSchema<Type>>;

type Schemas = { readonly [Type in GithubEventType]: GithubPayloadSchema<Type> };

/**
 * The payload schema of every event type. They strip what they do not know, so that a consumer goes on when a later
 * version of the connector tells more.
 */
export const githubPayloadSchemas: Schemas = schemas(githubEventTypes);

// TypeScript cannot follow names made at run time: the first signature says what the types above derive and a test proves.
function schemas(types: readonly string[]): Schemas;
function schemas(types: readonly string[]): Record<string, z.ZodType> {
  const byEntity = new Map<string, z.ZodType>(Object.entries(typed));
  return Object.fromEntries(
    types.map((type) => [type, byEntity.get(type.split(".")[1] ?? "") ?? githubGenericPayloadSchema]),
  );
}

/** Any event of the GitHub connector, its payload told by its `type`. */
export type GithubEvent = EventOf<typeof githubPayloadSchemas>;
