import { createRoute, z } from "@hono/zod-openapi";
import type { Audit } from "../audit/audit.ts";
import type { WorkspaceStore } from "../deps.ts";
import { requireWorkspace } from "../workspace/setup.ts";
import { createRouter, json, limitSchema, problem, requireScope, type Router, workspaceIdSchema } from "./router.ts";

const MOST_ENTRIES = 500;

const entrySchema = z.object({
  id: z.uuid().openapi({ description: "Ids sort by time" }),
  at: z.iso.datetime().openapi({ description: "RFC 3339 in UTC" }),
  by: z.string().openapi({ description: "Who did it: admin, local, or the name of an API key", example: "admin" }),
  action: z.string().openapi({ example: "configured" }),
  subject: z.string().openapi({ description: "What it was done to", example: "github" }),
  detail: z.string().openapi({ description: "More in words; may be empty" }),
}).openapi("AuditEntry");

const list = createRoute({
  method: "get",
  path: "/",
  operationId: "listChanges",
  tags: ["Audit"],
  summary: "Who changed what in a workspace, newest first",
  request: {
    query: z.object({
      workspaceId: workspaceIdSchema,
      limit: limitSchema(MOST_ENTRIES, 100),
      before: z.guid("must be an entry's id").toLowerCase().optional().openapi({
        description: "Only entries before this one",
      }),
    }),
  },
  responses: {
    200: { description: "The entries", content: json(z.array(entrySchema)) },
    403: problem("The API key may only read"),
    404: problem("The workspace is unknown; one that was removed keeps its entries for AUDIT_RETENTION"),
    422: problem("A parameter does not fit"),
  },
});

/** `/audit`: the account of changes. */
export function auditRoutes({ audit, workspaces }: { audit: Audit; workspaces: WorkspaceStore }): Router {
  const router = createRouter();
  router.openapi(list, async (c) => {
    const page = c.req.valid("query");
    requireScope(c, "manage", page.workspaceId);
    const entries = await audit.list(page);
    // Entries outlive their workspace: of one that was removed there still are some.
    if (entries.length === 0 && page.before === undefined) await requireWorkspace(workspaces, page.workspaceId);
    return c.json(entries.map(({ workspaceId: _, at, ...rest }) => ({ ...rest, at: at.toISOString() })), 200);
  });
  return router;
}
