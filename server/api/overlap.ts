import { createRoute, z } from "@hono/zod-openapi";
import { durationOrNoneSchema } from "../duration.ts";
import { REPLACEABLE } from "../workspace/overlap.ts";
import type { ConnectorSettings } from "../workspace/settings.ts";
import { BODY_REFUSALS, type BodyTerms, jsonBody } from "./body.ts";
import { createRouter, json, problem, requireScope, type Router, workspaceIdSchema } from "./router.ts";

const renewUrlSchema = z.strictObject({
  workspaceId: workspaceIdSchema,
  keepOldFor: durationOrNoneSchema.optional().openapi({
    type: "string",
    description: "How long the old URL is known beside the new one, 30d at most; 0, the default: not at all",
    example: "24h",
  }),
});
const endOverlapSchema = z.strictObject({
  workspaceId: workspaceIdSchema,
  of: z.enum(REPLACEABLE).optional().openapi({ description: "Whose overlap ends; left out, both" }),
});

const params = z.object({ id: z.string().openapi({ description: "Connector identifier", example: "github" }) });
const refusals = { ...BODY_REFUSALS, 404: problem("The connector or the workspace is unknown") } as const;

const renewUrl = createRoute({
  method: "post",
  path: "/{id}/renew-url",
  operationId: "renewWebhookUrl",
  tags: ["Connectors"],
  summary: "Make a new webhook URL, and keep the old one for a while",
  request: { params, body: { required: true, content: json(renewUrlSchema) } },
  responses: {
    200: { description: "The new URL", content: json(z.object({ ok: z.literal(true), webhookUrl: z.url() })) },
    ...refusals,
    409: problem("The connector has no URL yet, is a poller, or others kept saving at the same time"),
    422: problem("The body does not fit, or the old URL cannot be kept for so long"),
  },
});

const endOverlap = createRoute({
  method: "post",
  path: "/{id}/end-overlap",
  operationId: "endOverlap",
  tags: ["Connectors"],
  summary: "Accept the former secrets, or the former URL, no more from now on",
  request: { params, body: { required: true, content: json(endOverlapSchema) } },
  responses: {
    200: { description: "They are accepted no more", content: json(z.object({ ok: z.literal(true) })) },
    ...refusals,
    409: problem("Others kept saving at the same time"),
    422: problem("The body does not fit"),
  },
});

/** Below `/connectors`: a new webhook URL, and the end of what is accepted beside its successor. */
export function overlapRoutes(
  { settings, bodyTerms }: { readonly settings: ConnectorSettings; readonly bodyTerms: BodyTerms },
): Router {
  const router = createRouter();
  for (const path of ["/:id/renew-url", "/:id/end-overlap"]) router.post(path, jsonBody(bodyTerms));
  router.openapi(renewUrl, async (c) => {
    const { workspaceId, keepOldFor } = c.req.valid("json");
    requireScope(c, "manage", workspaceId);
    const webhookUrl = await settings.renewUrl(workspaceId, c.req.valid("param").id, { keepOldForMs: keepOldFor });
    return c.json({ ok: true as const, webhookUrl }, 200);
  });
  router.openapi(endOverlap, async (c) => {
    const { workspaceId, of } = c.req.valid("json");
    requireScope(c, "manage", workspaceId);
    await settings.endOverlap(workspaceId, c.req.valid("param").id, of === undefined ? REPLACEABLE : [of]);
    return c.json({ ok: true as const }, 200);
  });
  return router;
}
