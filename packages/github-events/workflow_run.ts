import { z } from "zod";
import { githubOrigin, githubTimeSchema, githubUserSchema } from "./common.ts";

/** One run of a GitHub Actions workflow. */
export const githubWorkflowRunSchema = z.object({
  id: z.number(),
  name: z.string().nullable().describe("The run's name, by default the workflow's"),
  title: z.string().nullable().describe("What GitHub shows as the run's title, such as the commit's message"),
  runNumber: z.number().nullable().describe("Counts the workflow's runs"),
  attempt: z.number().nullable().describe("1 for the first, counts re-runs"),
  trigger: z.string().nullable().describe("The event that started the run, such as push; GitHub calls it event"),
  status: z.string().nullable().describe("Such as queued, in_progress or completed"),
  conclusion: z.string().nullable().describe("Such as success, failure or cancelled; null until completed"),
  headBranch: z.string().nullable(),
  headSha: z.string(),
  headRepository: z.string().nullable().describe("owner/name of the repository that the code comes from"),
  actor: githubUserSchema.nullable().describe("Who caused the first attempt"),
  triggeringActor: githubUserSchema.nullable().describe("Who caused this attempt"),
  pullRequests: z.array(z.number()).describe("Numbers of the open pull requests of the head branch"),
  url: z.string().nullable(),
  createdAt: githubTimeSchema,
  startedAt: githubTimeSchema.describe("When this attempt started"),
  updatedAt: githubTimeSchema,
});

/** One run of a GitHub Actions workflow. */
export type GithubWorkflowRun = z.output<typeof githubWorkflowRunSchema>;

/** Payload of `github.workflow_run.*`. */
export const githubWorkflowRunPayloadSchema = z.object({
  workflowRun: githubWorkflowRunSchema,
  workflow: z.object({
    id: z.number(),
    name: z.string().nullable(),
    path: z.string().nullable().describe("Path of the workflow's file in the repository"),
  }).nullable(),
  ...githubOrigin,
});

/** Payload of `github.workflow_run.*`. */
export type GithubWorkflowRunPayload = z.output<typeof githubWorkflowRunPayloadSchema>;
