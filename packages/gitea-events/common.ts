import { gitCommitShape } from "@inlet/events-core";
import { z } from "zod";

/** A time as Gitea's own clock gave it: RFC 3339, UTC, milliseconds; `null` where Gitea names none. */
export const giteaTimeSchema = z.iso.datetime({ precision: 3 }).nullable();

/** A Gitea account: a person, or an organization. */
export const giteaUserSchema = z.object({
  id: z.number().describe("Gitea's stable number of the account; negative for Gitea's own, such as Actions"),
  login: z.string().describe("The account's present name; it can be changed and given to another"),
  name: z.string().nullable().describe("Full name"),
  url: z.string().nullable().describe("The account's page, where Gitea tells it"),
});

/** A Gitea account. */
export type GiteaUser = z.output<typeof giteaUserSchema>;

/** A repository. */
export const giteaRepositorySchema = z.object({
  id: z.number().describe("Gitea's stable number of the repository; survives renaming and transfer"),
  fullName: z.string().describe("owner/name"),
  private: z.boolean().describe("Whether only some see it"),
  url: z.string().nullable().describe("The repository's page"),
  defaultBranch: z.string().nullable().describe("Null while the repository is empty"),
  createdAt: giteaTimeSchema.describe("When it was created"),
});

/** A repository. */
export type GiteaRepository = z.output<typeof giteaRepositorySchema>;

/** Who a git commit says made it: free text in the commit, proven by nobody. */
export const giteaPersonSchema = z.object({
  name: z.string().nullable().describe("As the commit has it"),
  email: z.string().nullable().describe("As the commit has it; need not be a valid address"),
  username: z.string().nullable().describe("Name of the account that owns the e-mail address, if any"),
});

/** Who a git commit says made it. */
export type GiteaPerson = z.output<typeof giteaPersonSchema>;

/** One commit. */
export const giteaCommitSchema = z.object({
  ...gitCommitShape,
  author: giteaPersonSchema.nullable().describe("Who wrote it"),
  committer: giteaPersonSchema.nullable().describe("Who committed it"),
});

/** One commit. */
export type GiteaCommit = z.output<typeof giteaCommitSchema>;

/** What every payload about a repository has. */
export const giteaOrigin = { repository: giteaRepositorySchema.describe("The repository it happened in") } as const;

/** What an edit replaced. */
export const giteaChangeSchema = z.object({ from: z.string().nullable().describe("The value before the edit") });
