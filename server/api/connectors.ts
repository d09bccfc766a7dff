import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import type { WebhookConnector } from "../../connectors/kit/mod.ts";
import { type ConnectorSettings, requireConnector } from "../workspace/settings.ts";
import { jsonBody } from "./body.ts";
import { createRouter, json, problem, workspaceIdSchema } from "./router.ts";

const manifestSchema = z.object({
  id: z.string().openapi({ description: "Connector identifier", example: "github" }),
  name: z.string().openapi({ description: "Display name" }),
  type: z.enum(["webhook", "poller"]).openapi({ description: "Whether the source calls us, or we call it" }),
  triggers: z.array(z.string()).readonly().openapi({ description: "Every event type that the connector can emit" }),
  description: z.string(),
  documentationUrl: z.url().openapi({ description: "The source's own documentation of its deliveries" }),
}).openapi("ConnectorManifest");

const settingsSchema = z.record(z.string(), z.unknown());
const jsonSchemaSchema = z.record(z.string(), z.unknown()).openapi({ description: "A JSON Schema (draft 2020-12)" });
const schemasSchema = z.object({
  manifest: manifestSchema,
  configSchema: jsonSchemaSchema,
  secretsSchema: jsonSchemaSchema,
}).openapi("ConnectorSchemas");

const configSchema = z.object({
  enabled: z.boolean(),
  hasSecrets: z.boolean().openapi({ description: "Whether any secret is set; their values are never returned" }),
  webhookUrl: z.url().nullable().openapi({ description: "Where the source sends; null until first configured" }),
  config: settingsSchema.openapi({ description: "Non-sensitive settings, shaped by the connector's configSchema" }),
}).openapi("ConnectorConfig");

const configureSchema = z.strictObject({
  workspaceId: workspaceIdSchema,
  enabled: z.boolean({ error: (issue) => issue.input === undefined ? "is required" : undefined }),
  config: settingsSchema.optional().openapi({ description: "Replaces the config whole; left out, it stays" }),
  secrets: settingsSchema.optional()
    .openapi({ description: "Each given secret replaces the stored one, null clears it, one left out stays" }),
});

const params = z.object({ id: z.string().openapi({ description: "Connector identifier", example: "github" }) });
const unknown = problem("The connector or the workspace is unknown");

const list = createRoute({
  method: "get",
  path: "/",
  summary: "All registered connectors",
  responses: { 200: { description: "Their manifests", content: json(z.array(manifestSchema)) } },
});

const get = createRoute({
  method: "get",
  path: "/{id}",
  summary: "A connector and the shape of its settings",
  request: { params },
  responses: {
    200: { description: "Manifest and schemas", content: json(schemasSchema) },
    404: problem("The connector is unknown"),
  },
});

const getConfig = createRoute({
  method: "get",
  path: "/{id}/config",
  summary: "A workspace's settings of a connector",
  request: { params, query: z.object({ workspaceId: workspaceIdSchema }) },
  responses: {
    200: { description: "The settings, without secrets", content: json(configSchema) },
    404: unknown,
    422: problem("The workspaceId is missing or not a UUID"),
  },
});

const configure = createRoute({
  method: "post",
  path: "/{id}/configure",
  summary: "Save a workspace's settings of a connector",
  request: { params, body: { required: true, content: json(configureSchema) } },
  responses: {
    200: { description: "Saved", content: json(z.object({ ok: z.literal(true), webhookUrl: z.url() })) },
    400: problem("The body is not JSON"),
    404: unknown,
    409: problem("Others kept saving at the same time"),
    413: problem("The body is larger than MAX_BODY_BYTES"),
    415: problem("The body is not sent as application/json"),
    422: problem("The settings do not fit, or a secret that enabling needs is missing"),
  },
});

/** What {@link connectorRoutes} works with. */
export interface ConnectorRouteParts {
  readonly connectors: ReadonlyMap<string, WebhookConnector>;
  readonly settings: ConnectorSettings;
  readonly maxBodyBytes: number;
}

/** `/connectors`: the catalogue, and each workspace's settings. */
export function connectorRoutes({ connectors, settings, maxBodyBytes }: ConnectorRouteParts): OpenAPIHono {
  const router = createRouter();
  router.openapi(list, (c) => c.json(connectors.values().map(({ manifest }) => manifest).toArray(), 200));
  router.openapi(get, (c) => {
    const { manifest, configSchema, secretsSchema } = requireConnector(connectors, c.req.valid("param").id);
    return c.json({ manifest, configSchema: formOf(configSchema), secretsSchema: formOf(secretsSchema) }, 200);
  });
  router.openapi(getConfig, async (c) => {
    const view = await settings.view(c.req.valid("query").workspaceId, c.req.valid("param").id);
    return c.json(configSchema.parse(view), 200);
  });
  router.post("/:id/configure", jsonBody(maxBodyBytes));
  router.openapi(configure, async (c) => {
    const change = { ...c.req.valid("json"), connectorId: c.req.valid("param").id };
    return c.json({ ok: true as const, webhookUrl: await settings.configure(change) }, 200);
  });
  return router;
}

/** The schema of what is sent: a setting that has a default may be left out. */
function formOf(schema: z.ZodType): Record<string, unknown> {
  return { ...z.toJSONSchema(schema, { io: "input" }) };
}
