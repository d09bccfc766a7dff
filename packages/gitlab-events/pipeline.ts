import { z } from "zod";
import { gitlabCommitSchema, gitlabOrigin, gitlabTimeSchema } from "./common.ts";

/** What pipelines and their jobs have in common. */
const run = {
  id: z.number().describe("GitLab's stable number"),
  name: z.string().nullable().describe("Its name; a pipeline need not have one"),
  status: z.string().describe("Such as running, success or failed"),
  createdAt: gitlabTimeSchema.describe("When it was created"),
  finishedAt: gitlabTimeSchema.describe("When it ended"),
  durationSeconds: z.number().nullable().describe("How long it ran, in seconds"),
  queuedSeconds: z.number().nullable().describe("How long it waited for a runner, in seconds"),
};

/** What a job has wherever it is told of. */
const job = {
  ...run,
  stage: z.string().nullable().describe("The pipeline's stage that it is in"),
  startedAt: gitlabTimeSchema.describe("When it started"),
  failureReason: z.string().nullable().describe("Why it failed, in GitLab's word"),
  allowFailure: z.boolean().describe("Whether the pipeline succeeds without it"),
};

/** Payload of `gitlab.pipeline.*`. Variables of a pipeline are not told: they can be secrets. */
export const gitlabPipelinePayloadSchema = z.object({
  pipeline: z.object({
    ...run,
    number: z.number().nullable().describe("The number unique within the project; GitLab calls it iid"),
    ref: z.string().nullable().describe("The branch or tag it ran on"),
    tag: z.boolean().describe("Whether the ref is a tag"),
    sha: z.string().describe("The commit it ran on"),
    trigger: z.string().nullable().describe("What started it, such as push; GitLab calls it source"),
    stages: z.array(z.string()).describe("Its stages in order"),
    url: z.string().nullable().describe("Its page"),
  }).describe("The pipeline"),
  jobs: z.array(z.object(job)).describe("Its jobs as they are now"),
  commit: gitlabCommitSchema.nullable().describe("The commit it ran on"),
  pullRequest: z.object({
    id: z.number().describe("GitLab's stable number"),
    number: z.number().describe("The number that people see"),
    title: z.string().describe("The title"),
    url: z.string().nullable().describe("Its page"),
  }).nullable().describe("The merge request it ran for"),
  ...gitlabOrigin,
});

/** Payload of `gitlab.pipeline.*`. */
export type GitlabPipelinePayload = z.output<typeof gitlabPipelinePayloadSchema>;

/** Payload of `gitlab.job.*`. */
export const gitlabJobPayloadSchema = z.object({
  job: z.object({
    ...job,
    ref: z.string().nullable().describe("The branch or tag it ran on"),
    tag: z.boolean().describe("Whether the ref is a tag"),
    sha: z.string().nullable().describe("The commit it ran on"),
    pipelineId: z.number().nullable().describe("Number of its pipeline"),
    retries: z.number().nullable().describe("How often it was retried before, where GitLab tells"),
    url: z.string().nullable().describe("Its page"),
  }).describe("The job"),
  repository: gitlabOrigin.repository.optional().describe("The project; older versions of GitLab do not tell it"),
});

/** Payload of `gitlab.job.*`. */
export type GitlabJobPayload = z.output<typeof gitlabJobPayloadSchema>;

/** Payload of `gitlab.deployment.*`. */
export const gitlabDeploymentPayloadSchema = z.object({
  deployment: z.object({
    id: z.number().describe("GitLab's stable number of the deployment"),
    status: z.string().describe("Such as running, success or failed"),
    environment: z.string().nullable().describe("Where to, such as production"),
    tier: z.string().nullable().describe("The kind of environment, such as production or staging"),
    environmentUrl: z.string().nullable().describe("Where what is deployed can be seen"),
    sha: z.string().nullable().describe("The first characters of the commit's id"),
    commitTitle: z.string().nullable().describe("First line of the commit's message"),
    commitUrl: z.string().nullable().describe("The commit's page"),
    jobId: z.number().nullable().describe("Number of the job that deploys"),
    url: z.string().nullable().describe("The job's page; null where no job deploys"),
    changedAt: gitlabTimeSchema.describe("When it came into its status"),
  }).describe("The deployment"),
  ...gitlabOrigin,
});

/** Payload of `gitlab.deployment.*`. */
export type GitlabDeploymentPayload = z.output<typeof gitlabDeploymentPayloadSchema>;
