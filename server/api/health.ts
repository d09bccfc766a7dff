import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import type { Exchange, Health } from "../deps.ts";
import { createRouter, json } from "./router.ts";

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
  }),
}).openapi("Readiness");

const healthz = createRoute({
  method: "get",
  path: "/healthz",
  summary: "Whether the process answers",
  responses: { 200: { description: "It does", content: json(z.object({ ok: z.literal(true) })) } },
});

const readyz = createRoute({
  method: "get",
  path: "/readyz",
  summary: "Whether deliveries can be accepted",
  responses: {
    200: { description: "They can", content: json(readinessSchema) },
    503: { description: "They cannot; the checks say why", content: json(readinessSchema) },
  },
});

/** `/healthz` and `/readyz`, for whoever supervises the process. */
export function healthRoutes(parts: { exchange: Exchange; checkStore: () => Promise<Health> }): OpenAPIHono {
  const { exchange, checkStore } = parts;
  const router = createRouter();
  router.openapi(healthz, (c) => c.json({ ok: true as const }, 200));
  router.openapi(readyz, async (c) => {
    const store = await checkStore();
    const broker = { ...exchange.health(), unrouted: exchange.unrouted() };
    const ready = store.ok && broker.ok;
    return c.json({ ready, checks: { store, broker } }, ready ? 200 : 503);
  });
  return router;
}
