import { z } from "@hono/zod-openapi";
import { getLogger } from "@logtape/logtape";
import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import { MalformedBodyError, PollError, ShapeError, SignatureError } from "../../connectors/kit/errors.ts";
import {
  BodyInterruptedError,
  BodyTimeoutError,
  BodyTooLargeError,
  BrokerUnavailableError,
  BusyError,
  ConflictError,
  DeliveryLimitError,
  EventTooLargeError,
  ForbiddenError,
  type InputFault,
  InvalidInputError,
  LeaseLostError,
  MethodNotAllowedError,
  NotFoundError,
  SpoolFullError,
  StoppingError,
  TooManyRequestsError,
  UnauthorizedError,
  UnsupportedMediaTypeError,
} from "../errors.ts";

/** The body of every error response: RFC 9457 problem details, as `application/problem+json`. */
export const problemSchema = z.object({
  type: z.string().openapi({ description: "Identifies the kind of problem", example: "urn:inlet:problem:not-found" }),
  title: z.string().openapi({ description: "The kind of problem in words; the same for each occurrence" }),
  status: z.int().openapi({ description: "The HTTP status code" }),
  detail: z.string().openapi({ description: "What is wrong with this request, and what to do" }),
  errors: z.array(z.object({
    pointer: z.string().optional().openapi({
      description: "JSON Pointer (RFC 6901) of the value in the request",
      example: "/config/ignoreBots",
    }),
    parameter: z.string().optional().openapi({ description: "Name of the query or path parameter" }),
    detail: z.string().openapi({ description: "What is wrong with it" }),
  })).optional().openapi({ description: "Each fault in the input" }),
}).openapi("Problem");

/** RFC 9457 problem details. */
export type Problem = z.output<typeof problemSchema>;

interface Kind {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly headers?: Record<string, string>;
}

/** How long a sender is asked to wait while the broker is away or the service restarts. */
const RETRY_AFTER_SECONDS = "5";
/** The same for the spool to empty. */
const FULL_RETRY_AFTER_SECONDS = "60";

const log = getLogger(["inlet", "api"]);

/** Answers an error. */
export function respondWithProblem(error: unknown): Response {
  const { status, headers } = kindOf(error);
  if (status === 500) log.error("a request failed: {error}", { error });
  return Response.json(problemOf(error), {
    status,
    headers: { ...headers, "content-type": "application/problem+json" },
  });
}

/** What an error means to the client. This is the only place where errors become status codes and words. */
export function problemOf(error: unknown): Problem {
  const { status, code, title } = kindOf(error);
  const faults = faultsOf(error);
  return {
    type: `urn:inlet:problem:${code}`,
    title,
    status,
    detail: status !== 500 && error instanceof Error ? error.message : "The service failed; its log says why.",
    ...(faults && { errors: [...faults] }),
  };
}

/** {@link respondWithProblem} for a path that no route has. */
export function notFound(c: Context): Response {
  return respondWithProblem(new NotFoundError(`Cannot find ${c.req.path}: there is no such path`));
}

function kindOf(error: unknown): Kind {
  if (error instanceof MalformedBodyError) return { status: 400, code: "malformed-body", title: "Malformed body" };
  if (error instanceof BodyInterruptedError) {
    return { status: 400, code: "body-interrupted", title: "Body interrupted" };
  }
  if (error instanceof SignatureError) return { status: 401, code: "invalid-signature", title: "Invalid signature" };
  if (error instanceof UnauthorizedError) {
    const headers = { "www-authenticate": 'Bearer realm="Inlet"' };
    return { status: 401, code: "unauthorized", title: "Unauthorized", headers };
  }
  if (error instanceof ForbiddenError) return { status: 403, code: "forbidden", title: "Forbidden" };
  if (error instanceof TooManyRequestsError) {
    const headers = { "retry-after": String(Math.ceil(error.waitMs / 1000)) };
    return { status: 429, code: "too-many-requests", title: "Too many requests", headers };
  }
  if (error instanceof NotFoundError) return { status: 404, code: "not-found", title: "Not found" };
  if (error instanceof MethodNotAllowedError) {
    const headers = { allow: error.allow.join(", ") };
    return { status: 405, code: "method-not-allowed", title: "Method not allowed", headers };
  }
  if (error instanceof BodyTimeoutError) {
    return { status: 408, code: "body-timeout", title: "Body timeout", headers: { connection: "close" } };
  }
  if (error instanceof ConflictError || error instanceof LeaseLostError) {
    return { status: 409, code: "conflict", title: "Conflict" };
  }
  if (error instanceof BodyTooLargeError) return { status: 413, code: "body-too-large", title: "Body too large" };
  if (error instanceof EventTooLargeError) return { status: 413, code: "event-too-large", title: "Event too large" };
  if (error instanceof UnsupportedMediaTypeError) {
    return { status: 415, code: "unsupported-media-type", title: "Unsupported media type" };
  }
  if (error instanceof InvalidInputError) return { status: 422, code: "invalid-input", title: "Invalid input" };
  if (error instanceof ShapeError) return { status: 422, code: "unexpected-body", title: "Unexpected body" };
  if (error instanceof PollError) return { status: 502, code: "source-unavailable", title: "Source unavailable" };
  if (error instanceof DeliveryLimitError) return { status: 422, code: "over-limit", title: "Over a limit" };
  if (error instanceof BusyError) {
    return { status: 503, code: "busy", title: "Busy", headers: { "retry-after": RETRY_AFTER_SECONDS } };
  }
  if (error instanceof BrokerUnavailableError) {
    const headers = { "retry-after": RETRY_AFTER_SECONDS };
    return { status: 503, code: "broker-unavailable", title: "Broker unavailable", headers };
  }
  if (error instanceof SpoolFullError) {
    const headers = { "retry-after": FULL_RETRY_AFTER_SECONDS };
    return { status: 503, code: "spool-full", title: "Spool full", headers };
  }
  if (error instanceof StoppingError) {
    const headers = { "retry-after": RETRY_AFTER_SECONDS, connection: "close" };
    return { status: 503, code: "stopping", title: "Stopping", headers };
  }
  // The router's own refusals.
  if (error instanceof HTTPException && error.status < 500) {
    return { status: error.status, code: "bad-request", title: "Bad request" };
  }
  return { status: 500, code: "internal", title: "Internal error" };
}

function faultsOf(error: unknown): readonly InputFault[] | undefined {
  return error instanceof InvalidInputError || error instanceof ShapeError ? error.faults : undefined;
}
