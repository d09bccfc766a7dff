import { gitCommitShape } from "@inlet/events-core";
import { z } from "zod";

/** A time as GitLab's own clock gave it: RFC 3339, UTC, milliseconds; `null` where GitLab names none. */
export const gitlabTimeSchema = z.iso.datetime({ precision: 3 }).nullable();

/** A GitLab account. */
export const gitlabUserSchema = z.object({
  id: z.number().nullable().describe("GitLab's stable number of the account; some events leave it out"),
  login: z.string().nullable().describe("The account's present username; it can be changed and given to another"),
  name: z.string().nullable().describe("Display name"),
});

/** A GitLab account. */
export type GitlabUser = z.output<typeof gitlabUserSchema>;

/** A project, which is GitLab's word for a repository with all that belongs to it. */
export const gitlabRepositorySchema = z.object({
  id: z.number().describe("GitLab's stable number of the project; survives renaming and transfer"),
  fullName: z.string().describe("group/subgroup/project"),
  private: z.boolean().describe("Whether it is private or internal, so not open to everybody"),
  url: z.string().nullable().describe("The project's page"),
  defaultBranch: z.string().nullable().describe("Null while the repository is empty"),
});

/** A project. */
export type GitlabRepository = z.output<typeof gitlabRepositorySchema>;

/** A group, as far as an event tells. */
export const gitlabGroupSchema = z.object({
  id: z.number().describe("GitLab's stable number of the group"),
  fullName: z.string().describe("The group's path, with those of its parents where GitLab tells them"),
  name: z.string().nullable().describe("Display name"),
});

/** A group. */
export type GitlabGroup = z.output<typeof gitlabGroupSchema>;

/** A label of issues and merge requests. */
export const gitlabLabelSchema = z.object({
  id: z.number().nullable().describe("GitLab's number of the label"),
  name: z.string().describe("What the label says"),
  color: z.string().nullable().describe("Such as #ffffff"),
});

/** A label of issues and merge requests. */
export type GitlabLabel = z.output<typeof gitlabLabelSchema>;

/** One commit. */
export const gitlabCommitSchema = z.object({
  ...gitCommitShape,
  author: z.object({
    name: z.string().nullable().describe("As the commit has it"),
    email: z.string().nullable().describe("As the commit has it; need not be a valid address"),
  }).nullable().describe("Who the commit says made it, proven by nobody"),
});

/** One commit. */
export type GitlabCommit = z.output<typeof gitlabCommitSchema>;

/** What every payload about a project has. */
export const gitlabOrigin = { repository: gitlabRepositorySchema.describe("The project it happened in") } as const;
