import { z } from "zod";
import { githubOrigin, githubTimeSchema, githubUserSchema } from "./common.ts";

/** One run of a GitHub Actions workflow. */
export const githubWorkflowRunSchema = z.object({
  id: z.number().describe("GitHub's stable number of the run"),
  name: z.string().nullable().describe("The run's name, by default the workflow's"),
  title: z.string().nullable().describe("What GitHub shows as the run's title, such as the commit's message"),
  runNumber: z.number().nullable().describe("Counts the workflow's runs"),
  attempt: z.number().nullable().describe("1 for the first, counts re-runs"),
  trigger: z.string().nullable().describe("The event that started the run, such as push; GitHub calls it event"),
  status: z.string().nullable().describe("Such as queued, in_progress or completed"),
  conclusion: z.string().nullable().describe("Such as success, failure or cancelled; null until completed"),
  headBranch: z.string().nullable().describe("The branch that it runs on"),
  headSha: z.string().describe("The commit that it runs on"),
  headRepository: z.string().nullable().describe("owner/name of the repository that the code comes from"),
  actor: githubUserSchema.nullable().describe("Who caused the first attempt"),
  triggeringActor: githubUserSchema.nullable().describe("Who caused this attempt"),
  pullRequests: z.array(z.number()).describe("Numbers of the open pull requests of the head branch"),
  url: z.string().nullable().describe("Its page"),
  createdAt: githubTimeSchema.describe("When it was created"),
  startedAt: githubTimeSchema.describe("When this attempt started"),
  updatedAt: githubTimeSchema.describe("When it was changed last"),
});

/** One run of a GitHub Actions workflow. */
export type GithubWorkflowRun = z.output<typeof githubWorkflowRunSchema>;

/** Payload of `github.workflow_run.*`. */
export const githubWorkflowRunPayloadSchema = z.object({
  workflowRun: githubWorkflowRunSchema.describe("The run"),
  workflow: z.object({
    id: z.number().describe("GitHub's stable number of the workflow"),
    name: z.string().nullable().describe("What its file calls it"),
    path: z.string().nullable().describe("Path of the workflow's file in the repository"),
  }).nullable().describe("The workflow that ran"),
  ...githubOrigin,
});

/** Payload of `github.workflow_run.*`. */
export type GithubWorkflowRunPayload = z.output<typeof githubWorkflowRunPayloadSchema>;
