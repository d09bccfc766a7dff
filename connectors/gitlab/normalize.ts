import { GitlabEventType } from "@inlet/gitlab-events";
import type { Delivery, EventDraft } from "../kit/mod.ts";
import { generic } from "./generic.ts";
import type { Normalizer } from "./input.ts";
import { issue, pullRequest, workItem } from "./issue.ts";
import { kindOf } from "./kind.ts";
import { note } from "./note.ts";
import { deployment, jobRun, pipeline } from "./pipeline.ts";
import { push } from "./push.ts";
import { release, wiki } from "./release.ts";

const typed = new Map<string, Normalizer>([
  ["build", jobRun],
  ["deployment", deployment],
  ["issue", issue],
  ["merge_request", pullRequest],
  ["note", note],
  ["pipeline", pipeline],
  ["release", release],
  ["wiki_page", wiki],
  ["work_item", workItem],
]);

/**
 * Turns a verified GitLab delivery into drafts.
 *
 * @throws {ShapeError} if the body does not say what it is
 * @throws {z.ZodError} if the body is not what GitLab documents for the event
 */
export function normalize(body: unknown, delivery: Delivery): readonly EventDraft[] {
  const context = { ...kindOf(body), delivery };
  if (context.kind === "push" || context.kind === "tag_push") return push(body, context);
  // What was not documented when this was written may well come with another body.
  if (context.type === GitlabEventType.EVENT_RECEIVED) return generic(body, context);
  return (typed.get(context.kind) ?? generic)(body, context);
}
