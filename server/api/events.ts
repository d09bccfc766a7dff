import { createRoute, z } from "@hono/zod-openapi";
import { normalizedEventSchema } from "@inlet/events-core";
import type { WorkspaceStore } from "../deps.ts";
import type { Hub } from "../stream/hub.ts";
import { SSE_HEADERS } from "../stream/sse.ts";
import { requireWorkspace } from "../workspace/setup.ts";
import { callerOf, createRouter, problem, requireScope, type Router, workspaceIdSchema } from "./router.ts";

/** Event ids are far shorter. The store refuses to look up what is longer than 2 KiB. */
const lastEventIdSchema = z.string().max(200, "must be the id of an event");

const stream = createRoute({
  method: "get",
  path: "/stream",
  operationId: "streamEvents",
  tags: ["Events"],
  summary: "A workspace's events, live",
  description:
    "Server-Sent Events. Each message's `id` is the event's id, and its `data` one NormalizedEvent as JSON. " +
    "A message of the event `gap` says that events before the next are not kept any more. After a resume an event can " +
    "come again, with the same id.",
  request: {
    query: z.object({
      workspaceId: workspaceIdSchema,
      lastEventId: lastEventIdSchema.optional()
        .openapi({ description: "As the header, for browsers: a new EventSource cannot send one" }),
    }),
    headers: z.object({
      "last-event-id": lastEventIdSchema.optional()
        .openapi({ description: "Id of the last event that the client has; the stream goes on after it" }),
    }),
  },
  responses: {
    200: { description: "The stream; it does not end", content: { "text/event-stream": { schema: z.string() } } },
    404: problem("The workspace is unknown"),
    422: problem("The workspaceId is missing or not a UUID, or the id of the last event is too long to be one"),
    503: problem("As many streams are open as MAX_STREAMS allows; try again later"),
  },
});

/** `/events`: the live stream. */
export function eventRoutes({ hub, workspaces }: { hub: Hub; workspaces: WorkspaceStore }): Router {
  const router = createRouter();
  // A copy, since only schemas made after the OpenAPI library was loaded can be named in it.
  router.openAPIRegistry.register("NormalizedEvent", normalizedEventSchema.clone());
  router.openapi(stream, async (c) => {
    const { workspaceId, lastEventId } = c.req.valid("query");
    requireScope(c, "read", workspaceId);
    await requireWorkspace(workspaces, workspaceId);
    const { keyId, sessionHash } = callerOf(c);
    const body = await hub.open(workspaceId, {
      lastEventId: c.req.header("last-event-id") || lastEventId || undefined,
      keyId,
      sessionHash,
    });
    return new Response(body, { headers: SSE_HEADERS });
  });
  return router;
}
