import type { GitlabDeploymentPayload, GitlabJobPayload, GitlabPipelinePayload } from "@inlet/gitlab-events";
import { z } from "zod";
import { flag, iso, list, number, present, subject, text, time, type Told } from "../kit/mod.ts";
import { commit, envelope, project, single, user } from "./input.ts";

const job = z.object({
  id: z.number(),
  name: text,
  stage: text,
  status: z.string(),
  created_at: time,
  started_at: time,
  finished_at: time,
  duration: number,
  queued_duration: number,
  failure_reason: text,
  allow_failure: flag,
}).transform((it) => ({
  id: it.id,
  name: it.name ?? null,
  stage: it.stage ?? null,
  status: it.status,
  createdAt: iso(it.created_at),
  startedAt: iso(it.started_at),
  finishedAt: iso(it.finished_at),
  durationSeconds: it.duration ?? null,
  queuedSeconds: it.queued_duration ?? null,
  failureReason: it.failure_reason ?? null,
  allowFailure: it.allow_failure ?? false,
}));

const run = z.object({
  id: z.number(),
  iid: number,
  name: text,
  status: z.string(),
  ref: text,
  tag: flag,
  sha: z.string(),
  source: text,
  stages: list(z.string()),
  created_at: time,
  finished_at: time,
  duration: number,
  queued_duration: number,
  url: text,
}).transform((it): GitlabPipelinePayload["pipeline"] => ({
  id: it.id,
  number: it.iid ?? null,
  name: it.name ?? null,
  status: it.status,
  ref: it.ref ?? null,
  tag: it.tag ?? false,
  sha: it.sha,
  trigger: it.source ?? null,
  stages: present(it.stages),
  createdAt: iso(it.created_at),
  finishedAt: iso(it.finished_at),
  durationSeconds: it.duration ?? null,
  queuedSeconds: it.queued_duration ?? null,
  url: it.url ?? null,
}));

const pipelineBody = z.object({
  ...envelope,
  object_attributes: run,
  builds: list(job),
  commit: commit.nullish(),
  merge_request: z.object({ id: z.number(), iid: z.number(), title: z.string(), url: text })
    .transform(({ id, iid, title, url }) => ({ id, number: iid, title, url: url ?? null })).nullish(),
});

/** https://docs.gitlab.com/user/project/integrations/webhook_events/#pipeline-events */
export const pipeline = single(pipelineBody, (body): Told<GitlabPipelinePayload> => {
  const { object_attributes: pipeline, builds, commit, merge_request, project } = body;
  return {
    subject: subject("pipeline", pipeline.id, pipeline.name ?? `#${pipeline.id}`, pipeline.url),
    at: timeOf(pipeline),
    payload: {
      pipeline,
      jobs: present(builds),
      commit: commit ?? null,
      pullRequest: merge_request ?? null,
      repository: project,
    },
  };
});

/** A job's event has no main object: all that it says of the job begins with `build_`. */
const jobBody = z.object({
  user: user.nullish(),
  project: project.nullish(),
  ref: text,
  tag: flag,
  sha: text,
  build_id: z.number(),
  build_name: text,
  build_stage: text,
  build_status: z.string(),
  build_created_at: time,
  build_started_at: time,
  build_finished_at: time,
  build_duration: number,
  build_queued_duration: number,
  build_failure_reason: text,
  build_allow_failure: flag,
  retries_count: number,
  pipeline_id: number,
});

/** https://docs.gitlab.com/user/project/integrations/webhook_events/#job-events */
export const jobRun = single(jobBody, ({ project, ...it }): Told<GitlabJobPayload> => {
  const job = {
    id: it.build_id,
    name: it.build_name ?? null,
    stage: it.build_stage ?? null,
    status: it.build_status,
    ref: it.ref ?? null,
    tag: it.tag ?? false,
    sha: it.sha ?? null,
    pipelineId: it.pipeline_id ?? null,
    createdAt: iso(it.build_created_at),
    startedAt: iso(it.build_started_at),
    finishedAt: iso(it.build_finished_at),
    durationSeconds: it.build_duration ?? null,
    queuedSeconds: it.build_queued_duration ?? null,
    // GitLab has a reason, unknown_failure, for a job that did not fail, too.
    failureReason: it.build_status === "failed" ? it.build_failure_reason ?? null : null,
    allowFailure: it.build_allow_failure ?? false,
    retries: it.retries_count ?? null,
    url: project?.url ? `${project.url}/-/jobs/${it.build_id}` : null,
  };
  return {
    subject: subject("job", job.id, job.name, job.url),
    at: timeOf(job),
    payload: { job, ...(project && { repository: project }) },
  };
});

interface Run {
  readonly status: string;
  readonly createdAt: string | null;
  readonly startedAt?: string | null;
  readonly finishedAt: string | null;
}

/** When something that runs came into its status, as far as its own times tell. */
function timeOf({ status, createdAt, startedAt, finishedAt }: Run): string | null {
  if (status === "created") return createdAt;
  return status === "running" ? startedAt ?? null : finishedAt;
}

const deploymentBody = z.object({
  ...envelope,
  deployment_id: z.number(),
  status: z.string(),
  status_changed_at: time,
  deployable_id: number,
  deployable_url: text,
  environment: text,
  environment_tier: text,
  environment_external_url: text,
  short_sha: text,
  commit_title: text,
  commit_url: text,
  approver: user.nullish(),
}).transform((it) => ({ ...it, user: it.approver ?? it.user }));

/** https://docs.gitlab.com/user/project/integrations/webhook_events/#deployment-events */
export const deployment = single(deploymentBody, ({ project, ...it }): Told<GitlabDeploymentPayload> => {
  const deployment = {
    id: it.deployment_id,
    status: it.status,
    environment: it.environment ?? null,
    tier: it.environment_tier ?? null,
    environmentUrl: it.environment_external_url ?? null,
    sha: it.short_sha ?? null,
    commitTitle: it.commit_title ?? null,
    commitUrl: it.commit_url ?? null,
    jobId: it.deployable_id ?? null,
    url: it.deployable_url ?? null,
    changedAt: iso(it.status_changed_at),
  };
  return {
    subject: subject("deployment", deployment.id, deployment.environment, deployment.url),
    at: deployment.changedAt,
    payload: { deployment, repository: project },
  };
});
