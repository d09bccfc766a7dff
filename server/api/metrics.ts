import { createRoute, z } from "@hono/zod-openapi";
import { ForbiddenError } from "../errors.ts";
import { readinessOf, type ReadinessParts } from "../readiness.ts";
import type { Hub } from "../stream/hub.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { callerOf, createRouter, problem, type Router } from "./router.ts";

const route = createRoute({
  method: "get",
  path: "/metrics",
  operationId: "getMetrics",
  tags: ["Health"],
  summary: "The metrics, in Prometheus' text format",
  responses: {
    200: {
      description: "The metrics of this process, of all workspaces together",
      content: { "text/plain": { schema: z.string() } },
    },
    403: problem("An API key is for one workspace; this takes METRICS_TOKEN or ADMIN_TOKEN"),
  },
});

/** What {@link metricsRoutes} works with. */
export interface MetricsRouteParts extends ReadinessParts {
  readonly metrics: Metrics;
  readonly hub: Pick<Hub, "clients">;
  readonly now: () => Date;
}

/** `/metrics`, for Prometheus. */
export function metricsRoutes(parts: MetricsRouteParts): Router {
  const { metrics, hub, now } = parts;
  const router = createRouter();
  router.openapi(route, async (c) => {
    if (!callerOf(c).mayReadMetrics) {
      throw new ForbiddenError(
        "Cannot take the request: an API key is for one workspace, and metrics are of all; this takes METRICS_TOKEN or " +
          "ADMIN_TOKEN",
      );
    }
    const { isReady, broker, spool } = await readinessOf(parts);
    const text = await metrics.expose({
      isReady,
      isBrokerUp: broker.ok,
      unrouted: broker.unrouted,
      streamClients: hub.clients(),
      spool: spool?.state,
      now: now(),
    });
    return c.text(text, 200, { "content-type": metrics.contentType });
  });
  return router;
}
