import { createRoute, z } from "@hono/zod-openapi";
import type { DeadLetterActions } from "../deliveries/dead_letters.ts";
import type { DeadLetter, WorkspaceStore } from "../deps.ts";
import { requireWorkspace } from "../workspace/setup.ts";
import { createRouter, json, limitSchema, problem, requireScope, type Router, workspaceIdSchema } from "./router.ts";

const MOST = 200;

const letterSchema = z.object({
  id: z.uuid(),
  eventId: z.string(),
  type: z.string().openapi({ description: "The event's type" }),
  reason: z.string().openapi({ description: "Why the broker did not take the event" }),
  at: z.iso.datetime().openapi({ description: "When it was set aside" }),
  bytes: z.int().openapi({ description: "Size of the event as JSON" }),
}).openapi("DeadLetter");
const okSchema = z.object({ ok: z.literal(true) });

const workspace = z.object({ workspaceId: workspaceIdSchema });
const one = {
  params: z.object({ letterId: z.uuid().toLowerCase().openapi({ description: "Id of the dead letter" }) }),
  query: workspace,
};
const unknown = {
  404: problem("The workspace or the dead letter is unknown"),
  422: problem("A parameter is missing or not a UUID"),
};

const list = createRoute({
  method: "get",
  path: "/",
  operationId: "listDeadLetters",
  tags: ["Dead letters"],
  summary: "Events that the broker did not take, newest first",
  request: {
    query: workspace.extend({
      before: z.uuid().toLowerCase().optional().openapi({ description: "Id of a dead letter: only those before it" }),
      limit: limitSchema(MOST, MOST),
    }),
  },
  responses: { 200: { description: "The dead letters", content: json(z.array(letterSchema)) }, ...unknown },
});

const retry = createRoute({
  method: "post",
  path: "/{letterId}/retry",
  operationId: "retryDeadLetter",
  tags: ["Dead letters"],
  summary: "Publish the event again, behind those that wait",
  request: one,
  responses: { 200: { description: "It is in the spool again", content: json(okSchema) }, ...unknown },
});

const retryAll = createRoute({
  method: "post",
  path: "/retry",
  operationId: "retryDeadLetters",
  tags: ["Dead letters"],
  summary: "Publish the events of all dead letters again, oldest first, behind those that wait",
  description:
    "A thousand at most with one request: if there are `more`, send it again, with the same `upTo`. What the " +
    "broker refuses once more becomes another dead letter, which is newer.",
  request: {
    query: workspace.extend({
      upTo: z.uuid().toLowerCase().optional()
        .openapi({ description: "Id of the newest dead letter that is meant: those set aside since stay" }),
    }),
  },
  responses: {
    200: {
      description: "They are in the spool again",
      content: json(z.object({
        ok: z.literal(true),
        retried: z.int().openapi({ description: "How many" }),
        more: z.boolean().openapi({ description: "Whether there are more of those that are meant" }),
      })),
    },
    404: problem("The workspace is unknown"),
    422: problem("A parameter is missing or not a UUID"),
  },
});

const discard = createRoute({
  method: "post",
  path: "/{letterId}/discard",
  operationId: "discardDeadLetter",
  tags: ["Dead letters"],
  summary: "Delete the event for good",
  request: one,
  responses: { 200: { description: "It is deleted", content: json(okSchema) }, ...unknown },
});

/** What {@link deadLetterRoutes} works with. */
export interface DeadLetterRouteParts {
  readonly deadLetters: DeadLetterActions;
  readonly workspaces: WorkspaceStore;
}

/** `/dead-letters`: what the broker did not take, and what is to become of it. */
export function deadLetterRoutes({ deadLetters, workspaces }: DeadLetterRouteParts): Router {
  const router = createRouter();
  router.openapi(list, async (c) => {
    const { workspaceId, before, limit } = c.req.valid("query");
    requireScope(c, "read", workspaceId);
    await requireWorkspace(workspaces, workspaceId);
    const found = await deadLetters.list(workspaceId, { limit, ...(before && { before }) });
    return c.json(found.map(shown), 200);
  });
  router.openapi(retry, async (c) => {
    const { workspaceId } = c.req.valid("query");
    requireScope(c, "manage", workspaceId);
    await deadLetters.retry(workspaceId, c.req.valid("param").letterId);
    return c.json({ ok: true as const }, 200);
  });
  router.openapi(retryAll, async (c) => {
    const { workspaceId, upTo } = c.req.valid("query");
    requireScope(c, "manage", workspaceId);
    await requireWorkspace(workspaces, workspaceId);
    return c.json({ ok: true as const, ...await deadLetters.retryAll(workspaceId, upTo) }, 200);
  });
  router.openapi(discard, async (c) => {
    const { workspaceId } = c.req.valid("query");
    requireScope(c, "manage", workspaceId);
    await deadLetters.discard(workspaceId, c.req.valid("param").letterId);
    return c.json({ ok: true as const }, 200);
  });
  return router;
}

function shown({ id, eventId, type, reason, at, bytes }: DeadLetter): z.input<typeof letterSchema> {
  return { id, eventId, type, reason, at: at.toISOString(), bytes };
}
