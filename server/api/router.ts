import { OpenAPIHono, z } from "@hono/zod-openapi";
import { faultsOf } from "../../connectors/kit/faults.ts";
import { InvalidInputError } from "../errors.ts";
import { problemSchema } from "./problem.ts";

/** A router whose routes are validated by the schemas that describe them, and refuse other input with each fault. */
export function createRouter(): OpenAPIHono {
  return new OpenAPIHono({
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
