import { z } from "zod";

/** A time as GitHub's own clock gave it: RFC 3339, UTC, milliseconds; `null` where GitHub names none. */
export const githubTimeSchema = z.iso.datetime({ precision: 3 }).nullable();

/** A GitHub account: a person, a bot, an organization or an enterprise. */
export const githubUserSchema = z.object({
  id: z.number().describe("GitHub's stable number of the account"),
  login: z.string().describe("The account's present login; it can be changed and given to another"),
  type: z.string().nullable().describe("User, Bot, Organization or what else GitHub says"),
  url: z.string().nullable().describe("The account's page"),
});

/** A GitHub account. */
export type GithubUser = z.output<typeof githubUserSchema>;

/** Who a git commit says made it: free text in the commit, proven by nobody. */
export const githubPersonSchema = z.object({
  name: z.string().nullable().describe("As the commit has it"),
  email: z.string().nullable().describe("As the commit has it; need not be a valid address"),
  username: z.string().nullable().describe("Login of the GitHub account that owns the e-mail address, if any"),
});

/** Who a git commit says made it. */
export type GithubPerson = z.output<typeof githubPersonSchema>;

/** A repository. */
export const githubRepositorySchema = z.object({
  id: z.number().describe("GitHub's stable number of the repository; survives renaming and transfer"),
  fullName: z.string().describe("owner/name"),
  private: z.boolean().describe("Whether it is private or internal, so not open to everybody"),
  url: z.string().nullable().describe("The repository's page"),
  defaultBranch: z.string().nullable().describe("The branch that is shown first"),
  createdAt: githubTimeSchema.describe("When it was created"),
  pushedAt: githubTimeSchema.describe("When it was last pushed to"),
});

/** A repository. */
export type GithubRepository = z.output<typeof githubRepositorySchema>;

/** An organization, as far as a delivery tells. */
export const githubOrganizationSchema = z.object({
  id: z.number().describe("GitHub's stable number of the organization"),
  login: z.string().describe("The organization's present login"),
});

/** An organization, as far as a delivery tells. */
export type GithubOrganization = z.output<typeof githubOrganizationSchema>;

/** A team of an organization. */
export const githubTeamSchema = z.object({
  id: z.number().describe("GitHub's stable number of the team"),
  name: z.string().describe("What people call it"),
  slug: z.string().nullable().describe("Its name in addresses"),
  url: z.string().nullable().describe("Its page"),
});

/** A team of an organization. */
export type GithubTeam = z.output<typeof githubTeamSchema>;

/** A label of issues and pull requests. */
export const githubLabelSchema = z.object({
  id: z.number().nullable().describe("GitHub's stable number of the label"),
  name: z.string().describe("What the label says"),
  color: z.string().nullable().describe("Six hexadecimal digits, without #"),
});

/** A label of issues and pull requests. */
export type GithubLabel = z.output<typeof githubLabelSchema>;

/** A milestone of issues and pull requests. */
export const githubMilestoneSchema = z.object({
  id: z.number().describe("GitHub's stable number of the milestone"),
  number: z.number().describe("The number that people see"),
  title: z.string().describe("The title"),
  state: z.string().nullable().describe("open or closed"),
  url: z.string().nullable().describe("Its page"),
  dueOn: githubTimeSchema.describe("When it is due; null if nobody said"),
});

/** A milestone of issues and pull requests. */
export type GithubMilestone = z.output<typeof githubMilestoneSchema>;

/** The value that an edit replaced. */
export const githubChangeSchema = z.object({ from: z.string().nullable().describe("The value before the edit") });

/** Where an event comes from: the fields that every payload about a repository has. */
export const githubOrigin = {
  repository: githubRepositorySchema.describe("The repository it happened in"),
  organization: githubOrganizationSchema.optional().describe("The organization that owns the repository, if one does"),
  installationId: z.number().optional().describe("The GitHub App installation that the delivery was sent for, if any"),
} as const;
