import { OpenAPIHono, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { faultsOf } from "../../connectors/kit/faults.ts";
import type { Caller, Scope } from "../access/caller.ts";
import { ForbiddenError, InvalidInputError, NotFoundError } from "../errors.ts";
import { wholeNumber } from "../setting_forms.ts";
import { problemSchema } from "./problem.ts";

/** What every request comes with, handed to the app's `fetch` as its second argument. */
export interface RequestContext {
  readonly Bindings: {
    /** Who makes the request; `undefined` where nobody is asked: sources' deliveries and health checks. */
    readonly caller: Caller | undefined;
    /** Who is connected; `undefined` where that is not known. */
    readonly info: Deno.ServeHandlerInfo | undefined;
  };
}

/** A router of the API. */
export type Router = OpenAPIHono<RequestContext>;

/**
 * Who makes a request.
 *
 * @throws {ForbiddenError} if nobody was asked: a route that needs to know must not be reached so
 */
export function callerOf(c: Context<RequestContext>): Caller {
  if (c.env.caller !== undefined) return c.env.caller;
  throw new ForbiddenError("Cannot take the request: it does not say who makes it");
}

/** @throws {ForbiddenError} if the caller is not the administrator */
export function requireAdmin(c: Context<RequestContext>): Caller {
  const caller = callerOf(c);
  if (caller.isAdmin) return caller;
  throw new ForbiddenError("Cannot take the request: an API key is for one workspace, this takes ADMIN_TOKEN");
}

/**
 * Lets a caller into a workspace.
 *
 * @throws {NotFoundError} if the caller has no business in it: it is not to be told apart from one that is not there
 * @throws {ForbiddenError} if the caller may look at it, and wants more
 */
export function requireScope(c: Context<RequestContext>, scope: Scope, workspaceId: string): Caller {
  const caller = callerOf(c);
  if (caller.may(scope, workspaceId)) return caller;
  if (!caller.may("read", workspaceId)) {
    throw new NotFoundError(`Cannot find workspace ${workspaceId}: GET /workspaces lists those there are`);
  }
  throw new ForbiddenError(
    'Cannot take the request: the API key may only read; this takes one with the scope "manage"',
  );
}

/** A router whose routes are validated by the schemas that describe them, and refuse other input with each fault. */
export function createRouter(): Router {
  return new OpenAPIHono<RequestContext>({
    defaultHook(result) {
      if (result.success) return;
      const faults = faultsOf(result.error);
      if (result.target === "json") throw new InvalidInputError("Cannot read the body: it does not fit", faults);
      throw new InvalidInputError(
        "Cannot read the request: a parameter does not fit",
        faults.map(({ pointer, detail }) => ({ parameter: pointer.slice(1), detail })),
      );
    },
  });
}

/** A workspace's id, in a body or a query. */
export const workspaceIdSchema = z.guid({
  error: (issue) => issue.input === undefined ? "is required" : "must be a UUID",
}).toLowerCase().openapi({ description: "Id of the workspace", format: "uuid" });

/** A workspace's name, in a body. */
export const workspaceNameSchema = z.string().openapi({
  description: "Name of the workspace, 1 to 200 characters",
  example: "Acme",
});

/** How many entries of a list to give, in a query: decimal digits. */
export function limitSchema(most: number, standard: number): z.ZodType<number> {
  return wholeNumber(1, most).prefault(String(standard)).openapi({
    type: "integer",
    minimum: 1,
    maximum: most,
    default: standard,
    description: "How many at most",
  });
}

/** The `content` of a JSON body or response. */
export function json<Schema extends z.ZodType>(schema: Schema): { "application/json": { schema: Schema } } {
  return { "application/json": { schema } };
}

/** A response with a problem; `when` says when it comes. */
export function problem(when: string): ProblemResponse {
  return { description: when, content: { "application/problem+json": { schema: problemSchema } } };
}

/** How a route describes a problem response. */
export interface ProblemResponse {
  readonly description: string;
  readonly content: { "application/problem+json": { schema: typeof problemSchema } };
}
