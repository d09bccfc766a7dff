import { z } from "@hono/zod-openapi";
import type { Ingest } from "../ingest/pipeline.ts";
import type { RateLimit } from "../rate_limit.ts";
import { type BodyTerms, isReadAtOnce, readBody } from "./body.ts";
import { createRouter, json, problem, type Router } from "./router.ts";

const params = z.object({
  connectorId: z.string().openapi({ description: "Connector identifier", example: "github" }),
  webhookToken: z.string().openapi({ description: "Opaque token of the webhook URL" }),
});
const accepted = z.object({
  ok: z.literal(true),
  published: z.int().openapi({ description: "Number of events that the broker confirmed" }),
  queued: z.int().optional().openapi({
    description: "Number of events that are stored durably, and published as soon as the broker takes them",
  }),
  duplicate: z.literal(true).optional().openapi({
    description: "The delivery had been accepted before, and nothing was published again",
  }),
});
/** What a source gets instead where it only checks the URL, or would misread the other. */
const asTheSourceWants = { description: "What the source expects to read instead" };

/** What {@link webhookRoutes} works with. */
export interface WebhookRouteParts {
  readonly ingest: Ingest;
  readonly bodyTerms: BodyTerms;
  /** `undefined`: deliveries come as fast as they will. */
  readonly rateLimit: RateLimit | undefined;
}

/** `/webhooks`: where sources deliver. The raw bytes go to the connector; nothing is parsed before it verified them. */
export function webhookRoutes({ ingest, bodyTerms, rateLimit }: WebhookRouteParts): Router {
  const router = createRouter();
  router.openAPIRegistry.registerPath({
    method: "post",
    path: "/{connectorId}/{webhookToken}",
    operationId: "deliver",
    tags: ["Webhooks"],
    summary: "Take a source's delivery",
    security: [],
    request: {
      params,
      body: { description: "The source's own payload, signed as the source does", content: { "*/*": { schema: {} } } },
    },
    responses: {
      200: {
        description: "Verified, normalized and published, now or before",
        content: {
          ...json(z.union([accepted, z.looseObject({}).openapi(asTheSourceWants)])),
          "text/plain": { schema: z.string().openapi(asTheSourceWants) },
        },
      },
      202: { description: "Verified, normalized and stored: the broker does not confirm", content: json(accepted) },
      400: problem("The body is authentic, but not in the source's format; or it broke off"),
      401: problem("The signature is invalid; nothing was parsed"),
      404: problem("The URL is unknown, or its connector is disabled"),
      408: problem("The body did not arrive within BODY_TIMEOUT"),
      413: problem("The body is larger than MAX_BODY_BYTES, or an event of it than MAX_MESSAGE_BYTES"),
      422: problem("The body is authentic, but not what the source documents, or more than the service is set to take"),
      429: problem("The URL had more than RATE_LIMIT deliveries; Retry-After says when it takes the next"),
      503: problem(
        "Neither could the broker confirm nor the spool store it, or there is no room for the body; send it again",
      ),
    },
  });
  router.post("/:connectorId/:webhookToken", async (c) => {
    const { connectorId, webhookToken } = c.req.param();
    using room = bodyTerms.bodyMemory.room();
    const { published, queued, duplicate, reply } = await ingest.atUrl(connectorId, webhookToken, {
      headers: c.req.raw.headers,
      isSmall: isReadAtOnce(c.req.raw.headers),
      body() {
        // Only here is it known that the URL exists, and of a large body that the request is signed in form.
        rateLimit?.take(webhookToken);
        return readBody(c.req.raw, bodyTerms, room);
      },
    });
    if (reply !== undefined) return c.body(reply.body, 200, { "content-type": reply.contentType });
    const more = { ...(queued > 0 && { queued }), ...(duplicate && { duplicate }) };
    return c.json({ ok: true, published, ...more }, queued > 0 ? 202 : 200);
  });
  return router;
}
