import { createRoute, z } from "@hono/zod-openapi";
import type { Connector } from "../../connectors/kit/mod.ts";
import { inputSchemaOf } from "../contract/json_schema.ts";
import type { Scheduler } from "../poller/scheduler.ts";
import { durationOrNoneSchema } from "../duration.ts";
import { type ConnectorSettings, requireConnector, type SettingsView } from "../workspace/settings.ts";
import { BODY_REFUSALS, type BodyTerms, jsonBody } from "./body.ts";
import { callerOf, createRouter, json, problem, requireScope, type Router, workspaceIdSchema } from "./router.ts";

const manifestSchema = z.object({
  id: z.string().openapi({ description: "Connector identifier", example: "github" }),
  name: z.string().openapi({ description: "Display name" }),
  type: z.enum(["webhook", "poller"]).openapi({ description: "Whether the source calls us, or we call it" }),
  triggers: z.array(z.string()).readonly().openapi({
    description: "Every event type that the connector can emit; a topic pattern where types depend on its config",
  }),
  description: z.string(),
  documentationUrl: z.url().openapi({ description: "The source's own documentation of its deliveries" }),
  verification: z.array(z.enum(["signature", "token"])).readonly().openapi({
    description: "How deliveries prove where they come from, the best way first; a token does not protect the body",
  }),
}).openapi("ConnectorManifest");

const settingsSchema = z.record(z.string(), z.unknown());
const jsonSchemaSchema = z.record(z.string(), z.unknown()).openapi({ description: "A JSON Schema (draft 2020-12)" });
const schemasSchema = z.object({
  manifest: manifestSchema,
  configSchema: jsonSchemaSchema,
  secretsSchema: jsonSchemaSchema,
}).openapi("ConnectorSchemas");

const time = z.iso.datetime();
const pollerSchema = z.object({
  lastRunAt: time.nullable().openapi({ description: "When the newest run began (UTC)" }),
  nextRunAt: time.nullable().openapi({
    description: "When the next run is due (UTC), at the earliest; null while off, or if the schedule never comes",
  }),
  lastError: z.string().nullable().openapi({ description: "Why the newest run failed, without secrets" }),
  failures: z.int().openapi({ description: "How many runs failed one after the other" }),
  lagMs: z.int().nullable().openapi({
    description: "For how long the source was not read to its end, in milliseconds",
  }),
}).openapi("PollerStatus");

const configSchema = z.object({
  enabled: z.boolean(),
  hasSecrets: z.boolean().openapi({ description: "Whether any secret is set; their values are never returned" }),
  webhookUrl: z.url().nullable().openapi({
    description: "Where the source sends; null until first configured, and for a poller, which nobody calls",
  }),
  problem: z.string().optional().openapi({
    description: "Why what is stored cannot be read, and what to do; absent if it can be",
  }),
  config: settingsSchema.openapi({ description: "Non-sensitive settings, shaped by the connector's configSchema" }),
  poller: pollerSchema.nullable().openapi({ description: "How its polling goes; null for a webhook connector" }),
  retiringUntil: z.object({ secrets: time.optional(), url: time.optional() }).optional().openapi({
    description:
      "Until when (UTC) the former secrets, or the former URL, are accepted beside these; absent if none are",
  }),
}).openapi("ConnectorConfig");

const configureSchema = z.strictObject({
  workspaceId: workspaceIdSchema,
  enabled: z.boolean(),
  config: settingsSchema.optional().openapi({ description: "Replaces the config whole; left out, it stays" }),
  secrets: settingsSchema.optional()
    .openapi({ description: "Each given secret replaces the stored one, null clears it, one left out stays" }),
  keepOldSecretsFor: durationOrNoneSchema.optional().openapi({
    type: "string",
    description: "How long the former secrets are accepted beside new ones, 30d at most; 0, the default: not at all",
    example: "24h",
  }),
});

const pollSchema = z.strictObject({
  workspaceId: workspaceIdSchema,
  startAnew: z.boolean().optional().openapi({
    description: "Forgets where the last poll ended: events begin now. Whatever came in between is left out",
  }),
});
const polledSchema = z.object({
  ok: z.literal(true),
  published: z.int().openapi({ description: "How many events were published" }),
});

const params = z.object({ id: z.string().openapi({ description: "Connector identifier", example: "github" }) });
const unknown = problem("The connector or the workspace is unknown");

const list = createRoute({
  method: "get",
  path: "/",
  operationId: "listConnectors",
  tags: ["Connectors"],
  summary: "All registered connectors",
  responses: { 200: { description: "Their manifests", content: json(z.array(manifestSchema)) } },
});

const get = createRoute({
  method: "get",
  path: "/{id}",
  operationId: "getConnector",
  tags: ["Connectors"],
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
  operationId: "getConnectorConfig",
  tags: ["Connectors"],
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
  operationId: "configureConnector",
  tags: ["Connectors"],
  summary: "Save a workspace's settings of a connector",
  request: { params, body: { required: true, content: json(configureSchema) } },
  responses: {
    200: {
      description: "Saved",
      content: json(z.object({ ok: z.literal(true), webhookUrl: configSchema.shape.webhookUrl })),
    },
    ...BODY_REFUSALS,
    404: unknown,
    409: problem("Others kept saving at the same time"),
    422: problem("The settings do not fit, a secret is missing, or old ones cannot be kept for so long"),
  },
});

const poll = createRoute({
  method: "post",
  path: "/{id}/poll",
  operationId: "pollConnector",
  tags: ["Connectors"],
  summary: "Poll a connector now, and wait for what comes of it",
  request: { params, body: { required: true, content: json(pollSchema) } },
  responses: {
    200: { description: "The source was asked", content: json(polledSchema) },
    ...BODY_REFUSALS,
    404: unknown,
    409: problem("The connector is no poller, not enabled, or being polled at this moment"),
    422: problem("The body does not fit"),
    502: problem("The source could not be asked, or what it said could not be read"),
    503: problem("The broker did not confirm the events, or the service is stopping"),
  },
});

/** What {@link connectorRoutes} works with. */
export interface ConnectorRouteParts {
  readonly connectors: ReadonlyMap<string, Connector>;
  readonly settings: ConnectorSettings;
  readonly scheduler: Scheduler;
  readonly bodyTerms: BodyTerms;
}

/** `/connectors`: the catalogue, and each workspace's settings. */
export function connectorRoutes({ connectors, settings, scheduler, bodyTerms }: ConnectorRouteParts): Router {
  const router = createRouter();
  router.openapi(list, (c) => {
    callerOf(c);
    return c.json(connectors.values().map(({ manifest }) => manifest).toArray(), 200);
  });
  router.openapi(get, (c) => {
    callerOf(c);
    const { manifest, configSchema, secretsSchema } = requireConnector(connectors, c.req.valid("param").id);
    const [config, secrets] = [inputSchemaOf(configSchema), inputSchemaOf(secretsSchema)];
    return c.json({ manifest, configSchema: config, secretsSchema: secrets }, 200);
  });
  router.openapi(getConfig, async (c) => {
    const { workspaceId } = c.req.valid("query");
    requireScope(c, "read", workspaceId);
    const view = await settings.view(workspaceId, c.req.valid("param").id);
    return c.json(configSchema.parse(timesAsText(view)), 200);
  });
  router.post("/:id/configure", jsonBody(bodyTerms));
  router.openapi(configure, async (c) => {
    const { keepOldSecretsFor: keepOldSecretsForMs, ...given } = c.req.valid("json");
    const change = { ...given, keepOldSecretsForMs, connectorId: c.req.valid("param").id };
    requireScope(c, "manage", change.workspaceId);
    return c.json({ ok: true as const, webhookUrl: await settings.configure(change) }, 200);
  });
  router.post("/:id/poll", jsonBody(bodyTerms));
  router.openapi(poll, async (c) => {
    const { workspaceId, startAnew = false } = c.req.valid("json");
    requireScope(c, "manage", workspaceId);
    const published = await scheduler.pollNow(workspaceId, c.req.valid("param").id, { startAnew });
    return c.json({ ok: true as const, published }, 200);
  });
  return router;
}

function timesAsText({ poller, problem, retiringUntil: { secrets, url }, ...view }: SettingsView) {
  const { lastRunAt, nextRunAt } = poller ?? {};
  return {
    ...view,
    problem: problem ?? undefined,
    poller: poller && {
      ...poller,
      lastRunAt: lastRunAt?.toISOString() ?? null,
      nextRunAt: nextRunAt?.toISOString() ?? null,
    },
    retiringUntil: secrets === null && url === null
      ? undefined
      : { secrets: secrets?.toISOString(), url: url?.toISOString() },
  };
}
