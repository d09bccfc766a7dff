import { createRoute, z } from "@hono/zod-openapi";
import type { SpoolHealth } from "../deps.ts";
import { readinessOf, type ReadinessParts } from "../readiness.ts";
import { createRouter, json, type Router } from "./router.ts";

const checkSchema = z.object({
  ok: z.boolean(),
  detail: z.string().openapi({ description: "The state in words" }),
});
const readinessSchema = z.object({
  ready: z.boolean(),
  checks: z.object({
    store: checkSchema,
    broker: checkSchema.extend({
      unrouted: z.int().openapi({ description: "Events since the start that no queue was bound for" }),
    }),
    spool: checkSchema.extend({
      entries: z.int().openapi({ description: "Events that wait for the broker" }),
      bytes: z.int().openapi({ description: "What counts towards SPOOL_MAX_BYTES: those events and the dead letters" }),
    }).optional().openapi({ description: "Left out where there is no broker to wait for" }),
  }),
}).openapi("Readiness");

const healthz = createRoute({
  method: "get",
  path: "/healthz",
  operationId: "getHealth",
  tags: ["Health"],
  summary: "Whether the process answers",
  security: [],
  responses: { 200: { description: "It does", content: json(z.object({ ok: z.literal(true) })) } },
});

const readyz = createRoute({
  method: "get",
  path: "/readyz",
  operationId: "getReadiness",
  tags: ["Health"],
  summary: "Whether deliveries can be accepted",
  security: [],
  responses: {
    200: { description: "They can", content: json(readinessSchema) },
    503: { description: "They cannot; the checks say why", content: json(readinessSchema) },
  },
});

/** `/healthz` and `/readyz`, for whoever supervises the process. */
export function healthRoutes(parts: ReadinessParts): Router {
  const router = createRouter();
  router.openapi(healthz, (c) => c.json({ ok: true as const }, 200));
  router.openapi(readyz, async (c) => {
    const { isReady, store, broker, spool } = await readinessOf(parts);
    const checks = { store, broker, ...(spool && { spool: shown(spool) }) };
    return c.json({ ready: isReady, checks }, isReady ? 200 : 503);
  });
  return router;
}

function shown({ ok, detail, entries, bytes }: SpoolHealth): Omit<SpoolHealth, "state" | "takesEvents"> {
  return { ok, detail, entries, bytes };
}
