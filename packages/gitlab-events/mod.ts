/**
 * What the GitLab connector of Inlet emits: a constant for every event type, and a payload schema for each.
 *
 * ```ts
 * import { normalizedEventSchema } from "@inlet/events-core";
 * import { GitlabEventType, gitlabPayloadSchemas } from "@inlet/gitlab-events";
 *
 * declare const message: string;
 * const event = normalizedEventSchema.parse(JSON.parse(message));
 * if (event.type === GitlabEventType.PIPELINE_FAILED) {
 *   const { pipeline, jobs } = gitlabPayloadSchemas[event.type].parse(event.payload);
 *   console.log(pipeline.url, jobs.filter(({ status }) => status === "failed").map(({ name }) => name));
 * }
 * ```
 *
 * @module
 */
export * from "./common.ts";
export * from "./descriptions.ts";
export * from "./issue.ts";
export * from "./pipeline.ts";
export * from "./push.ts";
export * from "./release.ts";
export * from "./types.ts";
