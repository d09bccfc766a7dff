import { HttpError } from "fresh";
import { WORKSPACE_FIELD } from "../../components/WorkspaceField.tsx";
import type { Problem } from "../../server/api/problem.ts";
import type { State } from "./define.ts";

/** More than any of our forms can need. */
const MOST_BYTES = 1024 * 1024;

/** Longer than the slowest line takes for one of our forms. */
const TIMEOUT_MS = 30_000;

/**
 * Reads a posted form.
 *
 * @throws {HttpError} 415 if it is posted in another encoding than HTML's default, 413 if it is larger than 1 MiB, 408 if
 * it does not arrive whole within `timeoutMs`
 */
export async function readForm(request: Request, timeoutMs: number = TIMEOUT_MS): Promise<URLSearchParams> {
  const type = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") {
    throw new HttpError(415, "The form was sent in an unknown encoding");
  }
  const reader = request.body?.getReader();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    reader?.cancel().catch(() => {});
  }, timeoutMs);
  try {
    return await readFields(reader, () => late);
  } finally {
    clearTimeout(timer);
    reader?.cancel().catch(() => {});
  }
}

/**
 * Reads a form that was made for a workspace; {@link WORKSPACE_FIELD} is left out.
 *
 * @throws {HttpError} as {@link readForm} does, and 409 if the dashboard shows another workspace since
 */
export async function readWorkspaceForm(
  { req, state }: { readonly req: Request; readonly state: Pick<State, "workspaceId"> },
): Promise<URLSearchParams> {
  const form = await readForm(req);
  const madeFor = form.get(WORKSPACE_FIELD);
  form.delete(WORKSPACE_FIELD);
  if (madeFor === null || madeFor === state.workspaceId) return form;
  throw new HttpError(
    409,
    "Nothing was changed: the dashboard shows another workspace since this form was opened. Open the page again",
  );
}

async function readFields(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  isLate: () => boolean,
): Promise<URLSearchParams> {
  const text = new TextDecoder();
  let read = "";
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader?.read() ?? { done: true, value: undefined };
    if (isLate()) throw new HttpError(408, "The form did not arrive whole in time");
    if (done) return new URLSearchParams(read + text.decode());
    bytes += value.length;
    if (bytes > MOST_BYTES) throw new HttpError(413, "The form is too large");
    read += text.decode(value, { stream: true });
  }
}

/** What a page says of what was refused; an error that is the service's own fault is thrown on, for the error page. */
export function problemOrThrow(
  { problem }: Pick<State["dashboard"], "problem">,
  error: unknown,
): Problem & { readonly status: HttpError["status"] } {
  const told = problem(error);
  const { status } = told;
  if (status === 500 || !isErrorStatus(status)) throw error;
  return { ...told, status };
}

/** Of the service's own problems all are: Fresh takes no number beyond those that RFC 9110 and others name. */
function isErrorStatus(status: number): status is HttpError["status"] {
  return status >= 400 && status < 600;
}
