import { createRoute, z } from "@hono/zod-openapi";
import type { ApiKey, Workspace } from "../deps.ts";
import type { Workspaces } from "../workspace/workspaces.ts";
import { BODY_REFUSALS, type BodyTerms, jsonBody } from "./body.ts";
import {
  callerOf,
  createRouter,
  json,
  problem,
  requireAdmin,
  type Router,
  workspaceIdSchema,
  workspaceNameSchema,
} from "./router.ts";

const timeSchema = z.iso.datetime().openapi({ description: "RFC 3339 in UTC", example: "2026-03-02T12:00:00.000Z" });
const workspaceSchema = z.object({
  workspaceId: z.uuid(),
  workspaceName: z.string(),
  createdAt: timeSchema,
}).openapi("Workspace");
const keySchema = z.object({
  id: z.uuid(),
  name: z.string().openapi({ description: "What people call it", example: "billing consumer" }),
  scope: z.enum(["read", "manage"]).openapi({ description: "To look, or to look and change" }),
  createdAt: timeSchema,
}).openapi("ApiKey");
const namedSchema = z.strictObject({ workspaceName: workspaceNameSchema });
const newKeySchema = z.strictObject({ name: keySchema.shape.name, scope: keySchema.shape.scope });
const okSchema = z.object({ ok: z.literal(true) });

const params = z.object({ workspaceId: workspaceIdSchema });
const keyParams = params.extend({ keyId: z.guid("must be a UUID").toLowerCase() });
const unknown = problem("The workspace is unknown");
const adminOnly = problem("The caller is not the administrator");
const wrongBody = { ...BODY_REFUSALS, 422: problem("The body does not fit") };

const list = createRoute({
  method: "get",
  path: "/",
  operationId: "listWorkspaces",
  tags: ["Workspaces"],
  summary: "The workspaces that the caller may see",
  responses: { 200: { description: "Oldest first", content: json(z.array(workspaceSchema)) } },
});

const create = createRoute({
  method: "post",
  path: "/",
  operationId: "createWorkspace",
  tags: ["Workspaces"],
  summary: "Create a workspace",
  request: { body: { required: true, content: json(namedSchema) } },
  responses: { 200: { description: "It was created", content: json(workspaceSchema) }, 403: adminOnly, ...wrongBody },
});

const rename = createRoute({
  method: "patch",
  path: "/{workspaceId}",
  operationId: "renameWorkspace",
  tags: ["Workspaces"],
  summary: "Rename a workspace",
  request: { params, body: { required: true, content: json(namedSchema) } },
  responses: {
    200: { description: "It was renamed", content: json(workspaceSchema) },
    403: adminOnly,
    404: unknown,
    ...wrongBody,
  },
});

const remove = createRoute({
  method: "delete",
  path: "/{workspaceId}",
  operationId: "removeWorkspace",
  tags: ["Workspaces"],
  summary: "Remove a workspace with all that is in it",
  request: { params },
  responses: {
    200: { description: "It is gone", content: json(okSchema) },
    403: adminOnly,
    404: unknown,
    422: problem("The workspaceId is not a UUID"),
  },
});

const listKeys = createRoute({
  method: "get",
  path: "/{workspaceId}/keys",
  operationId: "listApiKeys",
  tags: ["Workspaces"],
  summary: "A workspace's API keys, without their secrets",
  request: { params },
  responses: {
    200: { description: "Oldest first", content: json(z.array(keySchema)) },
    403: adminOnly,
    404: unknown,
    422: problem("The workspaceId is not a UUID"),
  },
});

const createKey = createRoute({
  method: "post",
  path: "/{workspaceId}/keys",
  operationId: "createApiKey",
  tags: ["Workspaces"],
  summary: "Make an API key",
  request: { params, body: { required: true, content: json(newKeySchema) } },
  responses: {
    200: {
      description: "The key; its secret is shown here and never again",
      content: json(keySchema.extend({ secret: z.string() })),
    },
    403: adminOnly,
    404: unknown,
    ...wrongBody,
  },
});

const revokeKey = createRoute({
  method: "delete",
  path: "/{workspaceId}/keys/{keyId}",
  operationId: "revokeApiKey",
  tags: ["Workspaces"],
  summary: "Revoke an API key",
  request: { params: keyParams },
  responses: {
    200: { description: "It is revoked", content: json(okSchema) },
    403: adminOnly,
    404: problem("The workspace or the key is unknown"),
    422: problem("An id is not a UUID"),
  },
});

/** `/workspaces`: the workspaces, and the API keys of each. */
export function workspaceRoutes(parts: { workspaces: Workspaces; bodyTerms: BodyTerms }): Router {
  const { workspaces, bodyTerms } = parts;
  const router = createRouter();
  router.openapi(list, async (c) => {
    const caller = callerOf(c);
    const seen = (await workspaces.list()).filter(({ id }) => caller.may("read", id));
    return c.json(seen.map(toWorkspace), 200);
  });
  for (const path of ["/", "/:workspaceId/keys"]) router.post(path, jsonBody(bodyTerms));
  router.patch("/:workspaceId", jsonBody(bodyTerms));
  router.openapi(create, async (c) => {
    requireAdmin(c);
    return c.json(toWorkspace(await workspaces.create(c.req.valid("json").workspaceName)), 200);
  });
  router.openapi(rename, async (c) => {
    requireAdmin(c);
    const { workspaceId } = c.req.valid("param");
    return c.json(toWorkspace(await workspaces.rename(workspaceId, c.req.valid("json").workspaceName)), 200);
  });
  router.openapi(remove, async (c) => {
    requireAdmin(c);
    await workspaces.remove(c.req.valid("param").workspaceId);
    return c.json({ ok: true as const }, 200);
  });
  router.openapi(listKeys, async (c) => {
    requireAdmin(c);
    return c.json((await workspaces.keys(c.req.valid("param").workspaceId)).map(toKey), 200);
  });
  router.openapi(createKey, async (c) => {
    requireAdmin(c);
    const { name, scope } = c.req.valid("json");
    const { key, secret } = await workspaces.createKey(c.req.valid("param").workspaceId, name, scope);
    return c.json({ ...toKey(key), secret }, 200);
  });
  router.openapi(revokeKey, async (c) => {
    requireAdmin(c);
    const { workspaceId, keyId } = c.req.valid("param");
    await workspaces.revokeKey(workspaceId, keyId);
    return c.json({ ok: true as const }, 200);
  });
  return router;
}

function toWorkspace({ id, name, createdAt }: Workspace): z.output<typeof workspaceSchema> {
  return { workspaceId: id, workspaceName: name, createdAt: createdAt.toISOString() };
}

function toKey({ id, name, scope, createdAt }: ApiKey): z.output<typeof keySchema> {
  return { id, name, scope, createdAt: createdAt.toISOString() };
}
