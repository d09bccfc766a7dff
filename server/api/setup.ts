import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import type { Setup } from "../workspace/setup.ts";
import { jsonBody } from "./body.ts";
import { createRouter, json, problem } from "./router.ts";

const LONGEST_NAME = 200;

const setupStatusSchema = z.object({
  setupComplete: z.boolean().openapi({ description: "false until the first workspace exists" }),
  workspaceId: z.uuid().nullable().openapi({ description: "Id of the first workspace; null until it exists" }),
  hasActiveConnectors: z.boolean().openapi({ description: "Whether any connector is enabled" }),
}).openapi("SetupStatus");

const nameProblem = `must be a text of 1 to ${LONGEST_NAME} characters`;
const setupSchema = z.strictObject({
  workspaceName: z.string({ error: (issue) => issue.input === undefined ? "is required" : nameProblem })
    .trim().min(1, nameProblem).max(LONGEST_NAME, nameProblem)
    .openapi({ description: "Name of the first workspace", example: "Acme" }),
});

const getStatus = createRoute({
  method: "get",
  path: "/status",
  summary: "How far setup has come",
  responses: { 200: { description: "The status", content: json(setupStatusSchema) } },
});

const postSetup = createRoute({
  method: "post",
  path: "/",
  summary: "Create the first workspace",
  request: { body: { required: true, content: json(setupSchema) } },
  responses: {
    200: { description: "The workspace was created", content: json(z.object({ workspaceId: z.uuid() })) },
    400: problem("The body is not JSON"),
    409: problem("Setup is complete already"),
    413: problem("The body is larger than MAX_BODY_BYTES"),
    415: problem("The body is not sent as application/json"),
    422: problem("The body does not fit"),
  },
});

/** `/setup`: first-run setup. */
export function setupRoutes(parts: { setup: Setup; maxBodyBytes: number }): OpenAPIHono {
  const router = createRouter();
  router.openapi(getStatus, async (c) => c.json(await parts.setup.status(), 200));
  router.post("/", jsonBody(parts.maxBodyBytes));
  router.openapi(postSetup, async (c) => {
    return c.json({ workspaceId: await parts.setup.complete(c.req.valid("json").workspaceName) }, 200);
  });
  return router;
}
