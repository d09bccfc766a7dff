import { z } from "zod";
import { githubOrigin, githubTimeSchema, githubUserSchema } from "./common.ts";

/** The essentials of anything at GitHub: `null` where it has no such thing. */
export const githubObjectSchema = z.object({
  type: z.string().describe("The kind of thing, such as check_run"),
  id: z.union([z.number(), z.string()]).nullable().describe("GitHub's identifier of it"),
  number: z.number().nullable().describe("The number that people see, unique within the repository"),
  name: z.string().nullable().describe("Title or name"),
  state: z.string().nullable().describe("State or status"),
  conclusion: z.string().nullable().describe("How it ended, such as success"),
  body: z.string().nullable().describe("What somebody wrote in it"),
  sha: z.string().nullable().describe("The commit it concerns"),
  user: githubUserSchema.nullable().describe("Whose it is: its author, creator, owner or member"),
  url: z.string().nullable().describe("Its page"),
  createdAt: githubTimeSchema.describe("When it was created"),
  updatedAt: githubTimeSchema.describe("When it was changed last"),
});

/** The essentials of anything at GitHub. */
export type GithubObject = z.output<typeof githubObjectSchema>;

/** A value that an edit replaced, or put there. */
const value = z.union([z.string(), z.number(), z.boolean()]).nullable().optional();

/** Payload of every event type that has no payload of its own, `github.event.received` among them. */
export const githubGenericPayloadSchema = z.object({
  event: z.string().describe("GitHub's name of the event"),
  action: z.string().nullable().describe("GitHub's name of the action; null if the event has none"),
  object: githubObjectSchema.optional().describe("What the event is mainly about"),
  related: z.record(z.string(), githubObjectSchema).optional()
    .describe("What else it is about, by GitHub's name of it, such as the discussion of a comment"),
  items: z.array(githubObjectSchema).optional()
    .describe("What it covers if that can be several: pages of a wiki, repositories of an installation"),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional()
    .describe("Single values that make up the event, such as ref and refType of a created ref, or runId of a job"),
  changes: z.record(
    z.string(),
    z.object({ from: value.describe("The value before"), to: value.describe("The value after") }),
  ).optional().describe(
    "What an edit changed, by GitHub's name of it, such as name of a renamed repository; of an owner or a category, the name",
  ),
  data: z.record(z.string(), z.unknown()).optional()
    .describe("What the sender attached: client_payload of a repository_dispatch, inputs of a workflow_dispatch"),
  repository: githubOrigin.repository.optional().describe("The repository, if it happened in one"),
  organization: githubOrigin.organization,
  installationId: githubOrigin.installationId,
});

/** Payload of every event type that has no payload of its own. */
export type GithubGenericPayload = z.output<typeof githubGenericPayloadSchema>;
