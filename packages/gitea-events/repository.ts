import { z } from "zod";
import { giteaOrigin, giteaRepositorySchema, giteaTimeSchema, giteaUserSchema } from "./common.ts";

/** Payload of `gitea.fork.created`: `repository` is what was forked, `fork` is what came of it. */
export const giteaForkPayloadSchema = z.object({
  fork: giteaRepositorySchema.describe("The new repository"),
  ...giteaOrigin,
});

/** Payload of `gitea.fork.created`. */
export type GiteaForkPayload = z.output<typeof giteaForkPayloadSchema>;

/** Payload of `gitea.wiki.*`: one page. */
export const giteaWikiPayloadSchema = z.object({
  page: z.object({
    title: z.string().describe("The page's name, by which the wiki finds it"),
    message: z.string().nullable().describe("What its author said of the change"),
    url: z.string().nullable().describe("The page"),
  }).describe("The page"),
  ...giteaOrigin,
});

/** Payload of `gitea.wiki.*`. */
export type GiteaWikiPayload = z.output<typeof giteaWikiPayloadSchema>;

/** Payload of `gitea.release.*`. */
export const giteaReleasePayloadSchema = z.object({
  release: z.object({
    id: z.number().describe("Gitea's stable number of the release"),
    tag: z.string().describe("Name of the tag"),
    target: z.string().nullable().describe("Branch or commit that the tag is made from, if it does not exist yet"),
    name: z.string().nullable().describe("The release's title"),
    body: z.string().nullable().describe("The release notes"),
    draft: z.boolean().describe("Whether it is not published yet"),
    prerelease: z.boolean().describe("Whether it is not for everybody"),
    author: giteaUserSchema.nullable().describe("Null if the account was deleted"),
    assets: z.array(z.object({
      id: z.number().describe("Gitea's stable number of the file"),
      name: z.string().describe("Name of the file"),
      size: z.number().nullable().describe("Bytes"),
      url: z.string().nullable().describe("Where to download it"),
    })).describe("Files attached to it"),
    url: z.string().nullable().describe("The release's page"),
    createdAt: giteaTimeSchema.describe("When it was created"),
    publishedAt: giteaTimeSchema.describe("When it was published"),
  }).describe("The release"),
  ...giteaOrigin,
});

/** Payload of `gitea.release.*`. */
export type GiteaReleasePayload = z.output<typeof giteaReleasePayloadSchema>;

/** Payload of every event type that has no payload of its own, `gitea.event.received` among them. */
export const giteaGenericPayloadSchema = z.object({
  event: z.string().describe("Gitea's name of the event"),
  action: z.string().nullable().describe("Gitea's name of the action; null if the event has none"),
  object: z.object({
    type: z.string().describe("The kind of thing, such as package"),
    id: z.number().nullable().describe("Gitea's stable number of it"),
    number: z.number().nullable().describe("The number that people see"),
    name: z.string().nullable().describe("Title or name"),
    state: z.string().nullable().describe("State or status"),
    conclusion: z.string().nullable().describe("How it ended, such as success"),
    sha: z.string().nullable().describe("The commit it concerns"),
    url: z.string().nullable().describe("Its page"),
    createdAt: giteaTimeSchema.describe("When it was created"),
    updatedAt: giteaTimeSchema.describe("When it was changed last"),
  }).optional().describe("What the event is about: the essentials of it"),
  repository: giteaRepositorySchema.optional().describe("The repository, if it happened in one"),
  organization: giteaUserSchema.optional().describe("The organization that owns the repository, if one does"),
});

/** Payload of every event type that has no payload of its own. */
export type GiteaGenericPayload = z.output<typeof giteaGenericPayloadSchema>;
