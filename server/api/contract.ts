import { z } from "@hono/zod-openapi";
import type { Connector } from "../../connectors/kit/mod.ts";
import { asyncApiOf, type Publishing } from "../contract/asyncapi.ts";
import { eventSchemaOf } from "../contract/event_schema.ts";
import { eventTypesOf, findEventType } from "../contract/event_types.ts";
import { NotFoundError } from "../errors.ts";
import { callerOf, createRouter, json, problem, type Router } from "./router.ts";

/** What {@link contractRoutes} works with. */
export interface ContractParts {
  readonly connectors: ReadonlyMap<string, Connector>;
  readonly publishing: Publishing;
  /** Base of the schemas' ids, without a trailing slash. */
  readonly publicUrl: string;
}

const documentSchema = z.record(z.string(), z.unknown());
const typeParam = z.object({
  type: z.string().openapi({ description: "Event type", example: "github.pr.opened" }),
});

/** `/asyncapi.json` and `/schemas`: what consumers can rely on. Made when it is first asked for: few installations are. */
export function contractRoutes({ connectors, publishing, publicUrl }: ContractParts): Router {
  const router = createRouter();
  let asyncApi: string | undefined;
  router.openAPIRegistry.registerPath({
    method: "get",
    path: "/asyncapi.json",
    operationId: "getAsyncApi",
    tags: ["Contract"],
    summary: "What is published on the exchange, as AsyncAPI 3",
    responses: { 200: { description: "The AsyncAPI document", content: json(documentSchema) } },
  });
  router.get("/asyncapi.json", (c) => {
    callerOf(c);
    asyncApi ??= JSON.stringify(asyncApiOf(eventTypesOf(connectors.values()), publishing));
    return c.body(asyncApi, 200, { "content-type": "application/json" });
  });
  router.openAPIRegistry.registerPath({
    method: "get",
    path: "/schemas/{type}.json",
    operationId: "getEventSchema",
    tags: ["Contract"],
    summary: "The JSON Schema of an event type",
    request: { params: typeParam },
    responses: {
      200: {
        description: "The schema (draft 2020-12) of whole events of the type",
        content: { "application/schema+json": { schema: documentSchema } },
      },
      404: problem("No connector emits the type"),
    },
  });
  router.get("/schemas/:file{.+\\.json}", (c) => {
    callerOf(c);
    const wanted = c.req.param("file").slice(0, -".json".length);
    const found = findEventType(eventTypesOf(connectors.values()), wanted);
    if (found === undefined) {
      throw new NotFoundError(
        `Cannot find the schema of ${wanted}: no connector emits it; GET /connectors lists the types`,
      );
    }
    const schema = eventSchemaOf({ ...found, type: wanted }, `${publicUrl}/schemas/${wanted}.json`);
    return c.body(JSON.stringify(schema), 200, { "content-type": "application/schema+json" });
  });
  return router;
}
