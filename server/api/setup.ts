import { createRoute, z } from "@hono/zod-openapi";
import type { Setup } from "../workspace/setup.ts";
import { BODY_REFUSALS, type BodyTerms, jsonBody } from "./body.ts";
import { createRouter, json, problem, requireAdmin, type Router, workspaceNameSchema } from "./router.ts";

const setupStatusSchema = z.object({
  setupComplete: z.boolean().openapi({
    description: "false until the first workspace exists, and again once all are removed",
  }),
  workspaceId: z.uuid().nullable().openapi({
    description: "Id of the first workspace: of those there are, the oldest; null until it exists",
  }),
  hasActiveConnectors: z.boolean().openapi({ description: "Whether any connector of that workspace is enabled" }),
}).openapi("SetupStatus");

const setupSchema = z.strictObject({ workspaceName: workspaceNameSchema });

const getStatus = createRoute({
  method: "get",
  path: "/status",
  operationId: "getSetupStatus",
  tags: ["Setup"],
  summary: "How far setup has come",
  responses: { 200: { description: "The status", content: json(setupStatusSchema) } },
});

const postSetup = createRoute({
  method: "post",
  path: "/",
  operationId: "completeSetup",
  tags: ["Setup"],
  summary: "Create the first workspace",
  request: { body: { required: true, content: json(setupSchema) } },
  responses: {
    200: { description: "The workspace was created", content: json(z.object({ workspaceId: z.uuid() })) },
    ...BODY_REFUSALS,
    409: problem("Setup is complete already"),
    422: problem("The body does not fit"),
  },
});

/** `/setup`: first-run setup. */
export function setupRoutes(parts: { setup: Setup; bodyTerms: BodyTerms }): Router {
  const router = createRouter();
  router.openapi(getStatus, async (c) => {
    requireAdmin(c);
    return c.json(await parts.setup.status(), 200);
  });
  router.post("/", jsonBody(parts.bodyTerms));
  router.openapi(postSetup, async (c) => {
    requireAdmin(c);
    return c.json({ workspaceId: await parts.setup.complete(c.req.valid("json").workspaceName) }, 200);
  });
  return router;
}
