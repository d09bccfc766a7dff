/**
 * What the GitHub connector of Inlet emits: a constant for every event type, and a payload schema for each.
 *
 * ```ts
 * import { normalizedEventSchema } from "@inlet/events-core";
 * import { GithubEventType, githubPayloadSchemas } from "@inlet/github-events";
 *
 * declare const message: string;
 * const event = normalizedEventSchema.parse(JSON.parse(message));
 * if (event.type === GithubEventType.PR_OPENED) {
 *   const { pullRequest } = githubPayloadSchemas[event.type].parse(event.payload);
 *   console.log(`#${pullRequest.number} ${pullRequest.title}`);
 * }
 * ```
 *
 * @module
 */
export * from "./commit.ts";
export * from "./common.ts";
export * from "./descriptions.ts";
export * from "./events.ts";
export * from "./generic.ts";
export * from "./issue.ts";
export * from "./payloads.ts";
export * from "./pull_request.ts";
export * from "./release.ts";
export * from "./repository.ts";
export * from "./types.ts";
export * from "./workflow_run.ts";
