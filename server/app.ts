import type { Connector } from "../connectors/kit/mod.ts";
import type { Audit } from "./audit/audit.ts";
import { auditRoutes } from "./api/audit.ts";
import type { BodyTerms } from "./api/body.ts";
import { connectorRoutes } from "./api/connectors.ts";
import { deadLetterRoutes } from "./api/dead_letters.ts";
import { contractRoutes } from "./api/contract.ts";
import { eventRoutes } from "./api/events.ts";
import { healthRoutes } from "./api/health.ts";
import { metricsRoutes } from "./api/metrics.ts";
import { overlapRoutes } from "./api/overlap.ts";
import { describeApi } from "./api/openapi.ts";
import { notFound, respondWithProblem } from "./api/problem.ts";
import { createRouter, type Router } from "./api/router.ts";
import { setupRoutes } from "./api/setup.ts";
import { webhookRoutes } from "./api/webhooks.ts";
import { workspaceRoutes } from "./api/workspaces.ts";
import type { Exchange, Health, SpoolingExchange, WorkspaceStore } from "./deps.ts";
import type { DeadLetterActions } from "./deliveries/dead_letters.ts";
import type { Publishing } from "./contract/asyncapi.ts";
import { MethodNotAllowedError } from "./errors.ts";
import type { Ingest } from "./ingest/pipeline.ts";
import type { Scheduler } from "./poller/scheduler.ts";
import type { RateLimit } from "./rate_limit.ts";
import type { Hub } from "./stream/hub.ts";
import type { Metrics } from "./telemetry/metrics.ts";
import type { ConnectorSettings } from "./workspace/settings.ts";
import type { Workspaces } from "./workspace/workspaces.ts";
import type { Setup } from "./workspace/setup.ts";

/** What the app is made of. */
export interface AppParts {
  readonly connectors: ReadonlyMap<string, Connector>;
  readonly setup: Setup;
  readonly settings: ConnectorSettings;
  readonly workspaceAdmin: Workspaces;
  readonly workspaces: WorkspaceStore;
  readonly audit: Audit;
  readonly ingest: Ingest;
  readonly scheduler: Scheduler;
  readonly hub: Hub;
  readonly exchange: Exchange;
  readonly spooling: SpoolingExchange | undefined;
  readonly deadLetters: DeadLetterActions;
  readonly checkStore: () => Promise<Health>;
  readonly metrics: Metrics;
  readonly now: () => Date;
  readonly bodyTerms: BodyTerms;
  /** `undefined`: deliveries come as fast as they will. */
  readonly rateLimit: RateLimit | undefined;
  readonly publishing: Publishing;
  readonly publicUrl: string;
}

/** Puts the whole API behind one handler. */
export function createApp(parts: AppParts): Router {
  const app = createRouter();
  app.onError(respondWithProblem);
  app.notFound(notFound);
  app.route("/webhooks", webhookRoutes(parts));
  app.route("/setup", setupRoutes(parts));
  app.route("/workspaces", workspaceRoutes({ ...parts, workspaces: parts.workspaceAdmin }));
  app.route("/connectors", connectorRoutes(parts));
  app.route("/connectors", overlapRoutes(parts));
  app.route("/events", eventRoutes(parts));
  app.route("/audit", auditRoutes(parts));
  app.route("/dead-letters", deadLetterRoutes(parts));
  app.route("/", contractRoutes(parts));
  app.route("/", healthRoutes(parts));
  app.route("/", metricsRoutes(parts));
  describeApi(app, parts.publicUrl);
  refuseOtherMethods(app);
  return app;
}

/** Answers every method that a path does not have with 405 and those it has (RFC 9110, section 15.5.6). */
function refuseOtherMethods(app: Router): void {
  const methods = Map.groupBy(app.routes.filter(({ method }) => method !== "ALL"), ({ path }) => path);
  for (const [path, routes] of methods) {
    const allow = new Set(routes.flatMap(({ method }) => method === "GET" ? ["GET", "HEAD"] : [method]));
    app.all(path, () => {
      throw new MethodNotAllowedError([...allow]);
    });
  }
}
