import { githubActions, GithubEventType, githubEventType } from "@inlet/github-events";
import { z } from "zod";
import { type Delivery, type EventDraft, ShapeError } from "../kit/mod.ts";
import type { Normalizer } from "./draft.ts";
import { generic } from "./generic.ts";
import { issueComment } from "./issue_comment.ts";
import { issues } from "./issues.ts";
import { pullRequest } from "./pull_request.ts";
import { pullRequestReview } from "./pull_request_review.ts";
import { push } from "./push.ts";
import { release } from "./release.ts";
import { fork, star } from "./repository.ts";
import { workflowRun } from "./workflow_run.ts";

const typed = new Map<string, Normalizer>([
  ["fork", fork],
  ["issue_comment", issueComment],
  ["issues", issues],
  ["pull_request", pullRequest],
  ["pull_request_review", pullRequestReview],
  ["release", release],
  ["star", star],
  ["workflow_run", workflowRun],
]);

const withAction = z.object({ action: z.string() });
const withoutAction = z.object({ action: z.string().nullish() });

/**
 * Turns a verified GitHub delivery into drafts. What it is, the event's name in `X-GitHub-Event` and the body's
 * documented `action` say; nothing is guessed from what else the body holds.
 *
 * @throws {ShapeError} if the header is missing
 * @throws {z.ZodError} if the body is not what GitHub documents for the event
 */
export function normalize(body: unknown, delivery: Delivery): readonly EventDraft[] {
  const event = eventOf(delivery);
  // GitHub says hello when a webhook is made: nothing happened.
  if (event === "ping") return [];
  const action = (githubActions(event).length > 0 ? withAction : withoutAction).parse(body).action ?? null;
  const type = githubEventType(event, action);
  const context = { event, action, type, delivery };
  if (event === "push") return push(body, context);
  // An action that was not documented when this was written may well come with another body.
  if (type === GithubEventType.EVENT_RECEIVED) return generic(body, context);
  return (typed.get(event) ?? generic)(body, context);
}

function eventOf({ headers }: Delivery): string {
  const event = headers.get("x-github-event");
  if (event) return event;
  throw new ShapeError("Cannot read the delivery: the header X-GitHub-Event is missing, so what happened is unknown", [
    { pointer: "", detail: "the header X-GitHub-Event must name the event" },
  ]);
}
