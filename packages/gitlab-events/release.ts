import { z } from "zod";
import { gitlabGroupSchema, gitlabOrigin, gitlabTimeSchema } from "./common.ts";

/** Payload of `gitlab.release.*`. */
export const gitlabReleasePayloadSchema = z.object({
  release: z.object({
    id: z.number().describe("GitLab's stable number of the release"),
    tag: z.string().describe("Name of the tag"),
    name: z.string().nullable().describe("The release's title"),
    body: z.string().nullable().describe("The release notes"),
    commitSha: z.string().nullable().describe("The commit that is released"),
    assets: z.array(z.object({
      name: z.string().describe("What the link says"),
      type: z.string().nullable().describe("Such as package, image or runbook"),
      url: z.string().nullable().describe("Where to download it"),
    })).describe("Links of the release; the archives of its source are not among them"),
    url: z.string().nullable().describe("The release's page"),
    createdAt: gitlabTimeSchema.describe("When it was created"),
    publishedAt: gitlabTimeSchema.describe("GitLab calls it released_at; can lie in the future"),
  }).describe("The release"),
  ...gitlabOrigin,
});

/** Payload of `gitlab.release.*`. */
export type GitlabReleasePayload = z.output<typeof gitlabReleasePayloadSchema>;

/** Payload of `gitlab.wiki.*`: one page. */
export const gitlabWikiPayloadSchema = z.object({
  page: z.object({
    slug: z.string().describe("The page's path within the wiki"),
    title: z.string().nullable().describe("The title"),
    body: z.string().nullable().describe("What the page says now"),
    format: z.string().nullable().describe("Such as markdown"),
    message: z.string().nullable().describe("What its author said of the change"),
    version: z.string().nullable().describe("The commit of the wiki that the page is of"),
    url: z.string().nullable().describe("The page"),
  }).describe("The page"),
  ...gitlabOrigin,
});

/** Payload of `gitlab.wiki.*`. */
export type GitlabWikiPayload = z.output<typeof gitlabWikiPayloadSchema>;

/** Payload of every event type that has no payload of its own, `gitlab.event.received` among them. */
export const gitlabGenericPayloadSchema = z.object({
  event: z.string().describe("GitLab's name of the event: its object_kind or event_name"),
  action: z.string().nullable().describe("What happened, in GitLab's word; null where it names none"),
  object: z.object({
    type: z.string().describe("The kind of thing, such as milestone"),
    id: z.union([z.number(), z.string()]).nullable().describe("GitLab's identifier of it"),
    number: z.number().nullable().describe("The number that people see; GitLab calls it iid"),
    name: z.string().nullable().describe("Title or name"),
    state: z.string().nullable().describe("State, status or access level"),
    severity: z.string().nullable().describe("How severe a vulnerability is, such as high"),
    body: z.string().nullable().describe("Its description"),
    url: z.string().nullable().describe("Its page"),
    createdAt: gitlabTimeSchema.describe("When it was created"),
    updatedAt: gitlabTimeSchema.describe("When it was changed last"),
    expiresAt: gitlabTimeSchema.describe("When a token, or a member's access, expires"),
  }).describe("What the event is about: the essentials of it"),
  repository: gitlabOrigin.repository.optional().describe("The project, if it happened in one"),
  group: gitlabGroupSchema.optional().describe("The group, if it happened in one"),
});

/** Payload of every event type that has no payload of its own. */
export type GitlabGenericPayload = z.output<typeof gitlabGenericPayloadSchema>;
