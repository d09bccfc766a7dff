import type { ClientErrorStatusCode, ServerErrorStatusCode } from "hono/utils/http-status";

/** The statuses that an error can have. */
export type ErrorStatus = ClientErrorStatusCode | ServerErrorStatusCode;

/**
 * Thrown to answer with an HTTP status: the nearest error page answers, or, without one, the message as text.
 *
 * @see https://fresh.deno.dev/docs/advanced/error-handling
 */
export class HttpError extends Error {
  override name = "HttpError";

  /** @param message Empty unless given, which is answered with the status's own phrase. */
  constructor(readonly status: ErrorStatus, message?: string, options?: ErrorOptions) {
    super(message, options);
  }
}

/** The status that an error answers with: its own if it is an {@linkcode HttpError}, else 500. */
export function statusOf(error: unknown): ErrorStatus {
  return error instanceof HttpError ? error.status : 500;
}
