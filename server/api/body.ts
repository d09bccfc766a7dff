import type { MiddlewareHandler } from "hono";
import { parseJson } from "../../connectors/kit/body.ts";
import { BodyInterruptedError, BodyTooLargeError, UnsupportedMediaTypeError } from "../errors.ts";

/** Up to this a body is read in one go, which is fastest. */
const SMALL_BYTES = 256 * 1024;

/** No setting is larger; whoever may send one could otherwise keep the process busy with parsing. */
const SETTINGS_BODY_BYTES = 4 * 1024 * 1024;

/**
 * Reads a request's body whole, and never more than `limitBytes` of it.
 *
 * @throws {BodyTooLargeError} as soon as it is known to be larger: by its declared length before reading, else while
 * @throws {BodyInterruptedError} if the sender went away before its end
 */
export async function readBody(request: Request, limitBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > limitBytes) throw new BodyTooLargeError(limitBytes);
  try {
    if (declared === null) return await readCounted(request, limitBytes);
    // With a declared length the server hands on no more than that.
    return Number(declared) <= SMALL_BYTES ? await request.bytes() : await readDeclared(request, Number(declared));
  } catch (error) {
    if (error instanceof BodyTooLargeError) throw error;
    throw new BodyInterruptedError("Cannot read the body: it did not arrive whole", { cause: error });
  }
}

/** Read in place: `bytes()` gathers chunks and copies them, which takes twice the memory. */
async function readDeclared(request: Request, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const body = new Uint8Array(length);
  let filled = 0;
  for await (const chunk of request.body ?? []) {
    body.set(chunk, filled);
    filled += chunk.length;
  }
  if (filled < length) throw new Error("the body ended early");
  return body;
}

async function readCounted(request: Request, limitBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > limitBytes) throw new BodyTooLargeError(limitBytes);
    chunks.push(chunk);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/**
 * Prepares a JSON body for the routes behind it: limited in size, to {@link SETTINGS_BODY_BYTES} at most, and JSON in content and media type. A form or plain text
 * that happens to hold JSON is refused: any web page can send those across sites without asking.
 */
export function jsonBody(limitBytes: number): MiddlewareHandler {
  return async (c, next) => {
    const bytes = await readBody(c.req.raw, Math.min(limitBytes, SETTINGS_BODY_BYTES));
    parseJson(bytes);
    const mediaType = c.req.header("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
    if (mediaType !== "application/json" && !mediaType.endsWith("+json")) {
      throw new UnsupportedMediaTypeError(
        "Cannot read the body: send it with the header content-type: application/json",
      );
    }
    const headers = new Headers(c.req.raw.headers);
    headers.set("content-type", "application/json");
    c.req.raw = new Request(c.req.raw.url, { method: c.req.raw.method, headers, body: bytes });
    await next();
  };
}
