import type {
  GithubLabel,
  GithubMilestone,
  GithubOrganization,
  GithubPerson,
  GithubRepository,
  GithubTeam,
  GithubUser,
} from "@inlet/github-events";
import { z } from "zod";
import { iso, number, text, time } from "../kit/mod.ts";

// What we read of the things that many of GitHub's deliveries share, each turned into what our payloads say of it.
// Everything here strips what it does not name: that costs 5 % of parsing the JSON, keeping all of a body costs 60 %.

/** An account. Enterprises have a slug instead of a login. */
export const user = z.object({
  id: z.number(),
  login: z.string().optional(),
  slug: z.string().optional(),
  type: text,
  html_url: text,
}).transform(({ id, login, slug, type, html_url }): GithubUser => ({
  id,
  login: login ?? slug ?? String(id),
  type: type ?? null,
  url: html_url ?? null,
}));

/** An account that may have been deleted. */
export const account = user.nullish();

/** Who a commit says made it. The e-mail is any text: git does not check it, and neither do we. */
export const person = z.object({ name: text, email: text, username: text })
  .transform(({ name, email, username }): GithubPerson => ({
    name: name ?? null,
    email: email ?? null,
    username: username ?? null,
  })).nullish();

/** A repository. */
export const repository = z.object({
  id: z.number(),
  full_name: z.string(),
  private: z.boolean(),
  html_url: text,
  default_branch: text,
  created_at: time,
  pushed_at: time,
}).transform((it): GithubRepository => ({
  id: it.id,
  fullName: it.full_name,
  private: it.private,
  url: it.html_url ?? null,
  defaultBranch: it.default_branch ?? null,
  createdAt: iso(it.created_at),
  pushedAt: iso(it.pushed_at),
}));

/** A label. */
export const label = z.object({ id: number, name: z.string(), color: text })
  .transform(({ id, name, color }): GithubLabel => ({ id: id ?? null, name, color: color ?? null }));

/** A milestone. */
export const milestone = z.object({
  id: z.number(),
  number: z.number(),
  title: z.string(),
  state: text,
  html_url: text,
  due_on: time,
}).transform(({ id, number, title, state, html_url, due_on }): GithubMilestone => ({
  id,
  number,
  title,
  state: state ?? null,
  url: html_url ?? null,
  dueOn: iso(due_on),
}));

/** A team. */
export const team = z.object({ id: z.number(), name: z.string(), slug: text, html_url: text })
  .transform(({ id, name, slug, html_url }): GithubTeam => ({ id, name, slug: slug ?? null, url: html_url ?? null }));

/** What an edit replaced. */
export const change = z.object({ from: text }).transform(({ from }) => ({ from: from ?? null })).optional();

/** An organization. */
const organization = z.object({ id: z.number(), login: z.string() }).transform((it): GithubOrganization => it);

/** What any delivery tells of who caused it and where; `repository` stands apart, for not every delivery has one. */
export const envelope = {
  sender: account,
  organization: organization.nullish(),
  installation: z.object({ id: z.number() }).nullish(),
} as const;

/** {@link envelope} of a delivery that concerns a repository. */
export const repositoryEnvelope = { ...envelope, repository } as const;
