import { GiteaEventType, isGiteaEventType } from "@inlet/gitea-events";
import { z } from "zod";
import { type Delivery, type EventDraft, ShapeError } from "../kit/mod.ts";
import { generic } from "./generic.ts";
import type { Normalizer } from "./input.ts";
import { issue, issueComment, pullRequest, review } from "./issue.ts";
import { push, refChange } from "./push.ts";
import { fork, release, wiki } from "./repository.ts";

/** Events whose action says what happened, with the entity that they are about. */
const entities = new Map<string, string>([
  ["issue_comment", "issue_comment"],
  ["issues", "issue"],
  ["package", "package"],
  ["pull_request", "pr"],
  ["release", "release"],
  ["repository", "repository"],
  ["wiki", "wiki"],
  ["workflow_job", "workflow_job"],
  ["workflow_run", "workflow_run"],
]);

/** Events whose name says it all. */
const outcomes = new Map<string, string>([
  ["action_run_failure", "action_run.failure"],
  ["action_run_recover", "action_run.recover"],
  ["action_run_success", "action_run.success"],
  ["create", "ref.created"],
  ["delete", "ref.deleted"],
  ["fork", "fork.created"],
  ["pull_request_approved", "pr_review.approved"],
  ["pull_request_comment", "pr_review.commented"],
  ["pull_request_rejected", "pr_review.rejected"],
  ["status", "status.updated"],
]);

const typed = new Map<string, Normalizer>([
  ["create", refChange],
  ["delete", refChange],
  ["fork", fork],
  ["issue_comment", issueComment],
  ["issues", issue],
  ["pull_request", pullRequest],
  ["pull_request_approved", review],
  ["pull_request_comment", review],
  ["pull_request_rejected", review],
  ["release", release],
  ["wiki", wiki],
]);

const withAction = z.object({ action: z.string() });
const withoutAction = z.object({ action: z.string().nullish().catch(null) });

/**
 * Turns a verified delivery of Gitea or Forgejo into drafts. What it is, the event's name in the header and the body's
 * `action` say; nothing is guessed from what else the body holds.
 *
 * @throws {ShapeError} if the header is missing
 * @throws {z.ZodError} if the body is not what Gitea sends for the event
 */
export function normalize(body: unknown, delivery: Delivery): readonly EventDraft[] {
  const event = eventOf(delivery);
  const action = (entities.has(event) ? withAction : withoutAction).parse(body).action ?? null;
  const named = `gitea.${outcomes.get(event) ?? `${entities.get(event)}.${action}`}`;
  const type = isGiteaEventType(named) ? named : GiteaEventType.EVENT_RECEIVED;
  const context = { event, action, type, delivery };
  if (event === "push") return push(body, context);
  // What was not known when this was written may well come with another body.
  if (type === GiteaEventType.EVENT_RECEIVED) return generic(body, context);
  return (typed.get(event) ?? generic)(body, context);
}

/** Older versions leave the name of some events (of packages, say) empty, and tell it only in the second header. */
function eventOf({ headers }: Delivery): string {
  const named = ["x-gitea-event", "x-forgejo-event", "x-gitea-event-type", "x-forgejo-event-type"]
    .map((name) => headers.get(name)).find((value) => value);
  if (named) return named;
  throw new ShapeError("Cannot read the delivery: the header X-Gitea-Event is missing, so what happened is unknown", [
    { pointer: "", detail: "the header X-Gitea-Event must name the event; choose the webhook type Gitea or Forgejo" },
  ]);
}
