import { type OpenAPIHono, z } from "@hono/zod-openapi";
import type { Ingest } from "../ingest/pipeline.ts";
import { readBody } from "./body.ts";
import { createRouter, json, problem } from "./router.ts";

const params = z.object({
  connectorId: z.string().openapi({ description: "Connector identifier", example: "github" }),
  webhookToken: z.string().openapi({ description: "Opaque token of the webhook URL" }),
});
const accepted = z.object({
  ok: z.literal(true),
  published: z.int().openapi({ description: "Number of events that the broker confirmed" }),
});

/** `/webhooks`: where sources deliver. The raw bytes go to the connector; nothing is parsed before it verified them. */
export function webhookRoutes(parts: { ingest: Ingest; maxBodyBytes: number }): OpenAPIHono {
  const router = createRouter();
  router.openAPIRegistry.registerPath({
    method: "post",
    path: "/{connectorId}/{webhookToken}",
    summary: "Take a source's delivery",
    request: {
      params,
      body: { description: "The source's own payload, signed as the source does", content: { "*/*": { schema: {} } } },
    },
    responses: {
      200: { description: "Verified, normalized and published", content: json(accepted) },
      400: problem("The body is authentic, but not in the source's format"),
      401: problem("The signature is invalid; nothing was parsed"),
      404: problem("The URL is unknown, or its connector is disabled"),
      413: problem("The body is larger than MAX_BODY_BYTES"),
      422: problem("The body is authentic, but not what the source documents"),
      503: problem("The broker did not confirm; send the delivery again"),
    },
  });
  router.post("/:connectorId/:webhookToken", async (c) => {
    const { connectorId, webhookToken } = c.req.param();
    const { published } = await parts.ingest.atUrl(connectorId, webhookToken, {
      headers: c.req.raw.headers,
      body: () => readBody(c.req.raw, parts.maxBodyBytes),
    });
    return c.json({ ok: true, published });
  });
  return router;
}
