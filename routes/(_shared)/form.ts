import { HttpError } from "fresh";

/** More than any of our forms can need. */
const MOST_BYTES = 1024 * 1024;

/**
 * Reads a posted form.
 *
 * @throws {HttpError} 415 if it is posted in another encoding than HTML's default, 413 if it is larger than 1 MiB
 */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") {
    throw new HttpError(415, "The form was sent in an unknown encoding");
  }
  const text = new TextDecoder();
  let read = "";
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new HttpError(413, "The form is too large");
    read += text.decode(chunk, { stream: true });
  }
  return new URLSearchParams(read + text.decode());
}

/** The status of a page that shows a problem; what is the service's own fault is thrown on, for the error page. */
export function statusOrThrow(problem: { readonly status: number }, error: unknown): number {
  if (problem.status === 500) throw error;
  return problem.status;
}
