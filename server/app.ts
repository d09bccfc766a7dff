import type { OpenAPIHono } from "@hono/zod-openapi";
import type { WebhookConnector } from "../connectors/kit/mod.ts";
import { connectorRoutes } from "./api/connectors.ts";
import { eventRoutes } from "./api/events.ts";
import { healthRoutes } from "./api/health.ts";
import { notFound, respondWithProblem } from "./api/problem.ts";
import { createRouter } from "./api/router.ts";
import { setupRoutes } from "./api/setup.ts";
import { webhookRoutes } from "./api/webhooks.ts";
import type { Exchange, Health, WorkspaceStore } from "./deps.ts";
import { MethodNotAllowedError } from "./errors.ts";
import type { Ingest } from "./ingest/pipeline.ts";
import type { Hub } from "./stream/hub.ts";
import type { ConnectorSettings } from "./workspace/settings.ts";
import type { Setup } from "./workspace/setup.ts";

/** What the app is made of. */
export interface AppParts {
  readonly connectors: ReadonlyMap<string, WebhookConnector>;
  readonly setup: Setup;
  readonly settings: ConnectorSettings;
  readonly workspaces: WorkspaceStore;
  readonly ingest: Ingest;
  readonly hub: Hub;
  readonly exchange: Exchange;
  readonly checkStore: () => Promise<Health>;
  readonly maxBodyBytes: number;
}

/** Puts the whole API behind one handler. */
export function createApp(parts: AppParts): OpenAPIHono {
  const app = createRouter();
  app.onError(respondWithProblem);
  app.notFound(notFound);
  app.route("/webhooks", webhookRoutes(parts));
  app.route("/setup", setupRoutes(parts));
  app.route("/connectors", connectorRoutes(parts));
  app.route("/events", eventRoutes(parts));
  app.route("/", healthRoutes(parts));
  app.doc31("/openapi.json", {
    openapi: "3.1.0",
    servers: [{ url: "/" }],
    info: {
      title: "Inlet",
      version: "0.1.0",
      description: "Takes events in from many sources and puts them, in one shape, on one topic exchange.",
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
    },
  });
  refuseOtherMethods(app);
  return app;
}

/** Answers every method that a path does not have with 405 and those it has (RFC 9110, section 15.5.6). */
function refuseOtherMethods(app: OpenAPIHono): void {
  const methods = Map.groupBy(app.routes.filter(({ method }) => method !== "ALL"), ({ path }) => path);
  for (const [path, routes] of methods) {
    const allow = new Set(routes.flatMap(({ method }) => method === "GET" ? ["GET", "HEAD"] : [method]));
    app.all(path, () => {
      throw new MethodNotAllowedError([...allow]);
    });
  }
}
