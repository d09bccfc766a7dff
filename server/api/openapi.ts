import { INLET_VERSION } from "../version.ts";
import type { Router } from "./router.ts";

/** What the operations of the API are grouped by. */
const TAGS = [
  { name: "Setup", description: "The first run" },
  { name: "Connectors", description: "The sources, and each workspace's settings of them" },
  { name: "Webhooks", description: "Where sources deliver" },
  { name: "Events", description: "The live stream" },
  { name: "Contract", description: "What consumers can rely on, for programs to read" },
  { name: "Dead letters", description: "Events that the broker did not take" },
  { name: "Workspaces", description: "Tenants, and the API keys of each" },
  { name: "Audit", description: "Who changed what" },
  { name: "Health", description: "For whoever supervises the process" },
] as const;

/**
 * Serves the description of all routes that the router has by then, as OpenAPI 3.1, at `/openapi.json`.
 *
 * @param publicUrl Where the service is reached: its path goes before those of the routes.
 */
export function describeApi(app: Router, publicUrl: string): void {
  app.openAPIRegistry.registerComponent("securitySchemes", "bearer", {
    type: "http",
    scheme: "bearer",
    description: "ADMIN_TOKEN or an API key. Without ADMIN_TOKEN this machine is served without any.",
  });
  let document: string | undefined;
  app.get("/openapi.json", (c) => {
    document ??= JSON.stringify(documentOf(app, new URL(publicUrl).pathname));
    return c.body(document, 200, { "content-type": "application/json" });
  });
}

type Document = ReturnType<Router["getOpenAPI31Document"]>;

function documentOf(app: Router, basePath: string): Document {
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    servers: [{ url: basePath }],
    security: [{ bearer: [] }],
    info: {
      title: "Inlet",
      version: INLET_VERSION,
      description: "Takes events in from many sources and puts them, in one shape, on one topic exchange.",
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
    },
    tags: [...TAGS],
  });
  sayWhatComesBefore(document);
  return document;
}

/** How a request can be answered before it gets to its route, which does not know of that. */
const BEFORE_ROUTES = {
  "401": "The request does not say who makes it, or says so wrongly",
  "403": "The caller may not, the request has to come from this machine and does not, or another site's page sent it",
  "429": "Whoever has the caller's address failed to sign in too often; Retry-After says when to come again",
  "503": "The service is stopping, or there is no room for the body; send it again",
} as const;
const BEFORE_BODIES = { "408": "The body did not arrive within BODY_TIMEOUT" } as const;

function sayWhatComesBefore({ paths = {} }: Document): void {
  for (const { get, post, put, patch, delete: remove } of Object.values(paths)) {
    for (const operation of [get, post, put, patch, remove]) {
      if (operation?.responses === undefined || operation.security?.length === 0) continue;
      const before = { ...BEFORE_ROUTES, ...(operation.requestBody && BEFORE_BODIES) };
      for (const [status, description] of Object.entries(before)) {
        operation.responses[status] ??= {
          description,
          content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
        };
      }
    }
  }
}
