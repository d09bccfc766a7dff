/**
 * What the Gitea connector of Inlet emits, of Gitea and of Forgejo: a constant for every event type, and a payload schema
 * for each.
 *
 * ```ts
 * import { normalizedEventSchema } from "@inlet/events-core";
 * import { GiteaEventType, giteaPayloadSchemas } from "@inlet/gitea-events";
 *
 * declare const message: string;
 * const event = normalizedEventSchema.parse(JSON.parse(message));
 * if (event.type === GiteaEventType.COMMIT_PUSHED) {
 *   const { sha, branch, repository } = giteaPayloadSchemas[event.type].parse(event.payload);
 *   console.log(repository.fullName, branch, sha);
 * }
 * ```
 *
 * @module
 */
export * from "./common.ts";
export * from "./descriptions.ts";
export * from "./issue.ts";
export * from "./push.ts";
export * from "./repository.ts";
export * from "./types.ts";
