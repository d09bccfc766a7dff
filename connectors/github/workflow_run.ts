import type { GithubWorkflowRun, GithubWorkflowRunPayload } from "@inlet/github-events";
import { z } from "zod";
import { iso, list, number, present, subject, text, time, type Told } from "../kit/mod.ts";
import { origin, single } from "./draft.ts";
import { account, repositoryEnvelope } from "./input.ts";

const run = z.object({
  id: z.number(),
  name: text,
  display_title: text,
  run_number: number,
  run_attempt: number,
  event: text,
  status: text,
  conclusion: text,
  head_branch: text,
  head_sha: z.string(),
  head_repository: z.object({ full_name: z.string() }).nullish(),
  actor: account,
  triggering_actor: account,
  pull_requests: list(z.object({ number: z.number() })),
  html_url: text,
  created_at: time,
  run_started_at: time,
  updated_at: time,
}).transform((it): GithubWorkflowRun => ({
  id: it.id,
  name: it.name ?? null,
  title: it.display_title ?? null,
  runNumber: it.run_number ?? null,
  attempt: it.run_attempt ?? null,
  trigger: it.event ?? null,
  status: it.status ?? null,
  conclusion: it.conclusion ?? null,
  headBranch: it.head_branch ?? null,
  headSha: it.head_sha,
  headRepository: it.head_repository?.full_name ?? null,
  actor: it.actor ?? null,
  triggeringActor: it.triggering_actor ?? null,
  pullRequests: present(it.pull_requests).map((pullRequest) => pullRequest.number),
  url: it.html_url ?? null,
  createdAt: iso(it.created_at),
  startedAt: iso(it.run_started_at),
  updatedAt: iso(it.updated_at),
}));

const body = z.object({
  ...repositoryEnvelope,
  workflow_run: run,
  workflow: z.object({ id: z.number(), name: text, path: text })
    .transform(({ id, name, path }) => ({ id, name: name ?? null, path: path ?? null })).nullish(),
});

/** https://docs.github.com/webhooks/webhook-events-and-payloads#workflow_run */
export const workflowRun = single(body, (body, { action }): Told<GithubWorkflowRunPayload> => {
  const { workflow_run: run, workflow } = body;
  return {
    subject: subject("workflow_run", run.id, run.name, run.url),
    // A re-run keeps the creation time of the first attempt.
    at: action === "requested" ? run.startedAt ?? run.createdAt : run.updatedAt,
    payload: { workflowRun: run, workflow: workflow ?? null, ...origin(body) },
  };
});
