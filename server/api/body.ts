import type { MiddlewareHandler } from "hono";
import { parseJson } from "../../connectors/kit/body.ts";
import { BodyInterruptedError, BodyTooLargeError, UnsupportedMediaTypeError } from "../errors.ts";

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
    // With a declared length the server hands on no more than that; counting is only needed where it is absent.
    return declared === null ? await readCounted(request, limitBytes) : await request.bytes();
  } catch (error) {
    if (error instanceof BodyTooLargeError) throw error;
    throw new BodyInterruptedError("Cannot read the body: it did not arrive whole", { cause: error });
  }
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
 * Prepares a JSON body for the routes behind it: size-limited, and JSON in content and media type. A form or plain text
 * that happens to hold JSON is refused: any web page can send those across sites without asking.
 */
export function jsonBody(limitBytes: number): MiddlewareHandler {
  return async (c, next) => {
    const bytes = await readBody(c.req.raw, limitBytes);
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
