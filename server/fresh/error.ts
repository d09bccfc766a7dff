const PHRASES = new Map([[400, "Bad Request"], [401, "Unauthorized"], [403, "Forbidden"], [404, "Not Found"]])
  .set(405, "Method Not Allowed").set(409, "Conflict").set(429, "Too Many Requests");

/**
 * Thrown to answer with an HTTP status: the nearest error page answers, or, without one, the message as text.
 *
 * @see https://fresh.deno.dev/docs/advanced/error-handling
 */
export class HttpError extends Error {
  override name = "HttpError";

  /** @param message The status's own phrase unless given. */
  constructor(
    readonly status: number,
    message: string = PHRASES.get(status) ?? `HTTP ${status}`,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The status that an error answers with: its own if it is an {@linkcode HttpError}, else 500. */
export function statusOf(error: unknown): number {
  return error instanceof HttpError ? error.status : 500;
}
