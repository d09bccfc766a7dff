import type { MiddlewareHandler } from "hono";
import { parseJson } from "../../connectors/kit/body.ts";
import {
  BodyInterruptedError,
  BodyTimeoutError,
  BodyTooLargeError,
  BusyError,
  UnsupportedMediaTypeError,
} from "../errors.ts";
import { deadline } from "../deadlines.ts";
import { SMALL_BODY_BYTES } from "../limits.ts";
import type { BodyMemory, BodyRoom } from "./body_memory.ts";
import { free, grown, LEAST_PER_READ, sourceOf } from "./body_source.ts";
import { problem } from "./router.ts";

/** Up to this a body is read in one go, which is fastest. */
const AT_ONCE_BYTES = 64 * 1024;

/** No setting is larger; whoever may send one could otherwise keep the process busy with parsing. */
const SETTINGS_BODY_BYTES = 4 * 1024 * 1024;

/** What bodies are read under. */
export interface BodyTerms {
  readonly maxBodyBytes: number;
  /** How long a body may take to arrive. */
  readonly bodyTimeoutMs: number;
  readonly bodyMemory: BodyMemory;
}

/**
 * Reads a request's body whole into `room`, and never more than `terms.maxBodyBytes` of it.
 *
 * @throws {BodyTooLargeError} as soon as it is known to be larger: by its declared length before reading, else while
 * @throws {BodyTimeoutError} if it takes longer than `terms.bodyTimeoutMs` to arrive
 * @throws {BusyError} if the bodies of other requests leave no room
 * @throws {BodyInterruptedError} if the sender went away before its end
 */
export async function readBody(
  request: Request,
  { maxBodyBytes, bodyTimeoutMs }: Omit<BodyTerms, "bodyMemory">,
  room: BodyRoom,
): Promise<Uint8Array<ArrayBuffer>> {
  const declared = declaredBytes(request.headers);
  if (declared !== undefined && declared > maxBodyBytes) throw new BodyTooLargeError(maxBodyBytes);
  try {
    return declared !== undefined && isReadAtOnce(request.headers)
      ? await readAtOnce(request, declared, bodyTimeoutMs, room)
      : await readGrowing(request, { declared, maxBodyBytes, bodyTimeoutMs, room });
  } catch (error) {
    const known = [BodyTooLargeError, BodyTimeoutError, BusyError].some((kind) => error instanceof kind);
    if (known) throw error;
    throw new BodyInterruptedError("Cannot read the body: it did not arrive whole", { cause: error });
  }
}

/** Whether a body is declared to be so small that it is read in one go. */
export function isReadAtOnce(headers: Headers): boolean {
  const declared = declaredBytes(headers);
  return declared !== undefined && declared <= AT_ONCE_BYTES;
}

function declaredBytes(headers: Headers): number | undefined {
  const header = headers.get("content-length");
  return header === null ? undefined : Number(header);
}

/** Takes the room by the declared length, which is little, and more than which the server does not hand on. */
async function readAtOnce(
  request: Request,
  declared: number,
  timeoutMs: number,
  room: BodyRoom,
): Promise<Uint8Array<ArrayBuffer>> {
  room.take(declared, false);
  const late = Promise.withResolvers<never>();
  const arrived = deadline(timeoutMs, () => late.reject(new BodyTimeoutError(timeoutMs)));
  try {
    return await Promise.race([request.bytes(), late.promise]);
  } finally {
    arrived();
  }
}

interface GrowingRead {
  readonly declared: number | undefined;
  readonly maxBodyBytes: number;
  readonly bodyTimeoutMs: number;
  readonly room: BodyRoom;
}

/** Reads into one buffer that grows as bytes arrive: gathering chunks first would take twice the memory. */
async function readGrowing(
  { body }: Request,
  { declared, maxBodyBytes, bodyTimeoutMs, room }: GrowingRead,
): Promise<Uint8Array<ArrayBuffer>> {
  if (body === null) return new Uint8Array();
  const source = sourceOf(body);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    source.cancel();
  }, bodyTimeoutMs);
  let buffer = new ArrayBuffer(AT_ONCE_BYTES);
  let filled = 0;
  try {
    for (;;) {
      const part = await source.read(buffer, filled);
      if (late) throw new BodyTimeoutError(bodyTimeoutMs);
      buffer = part.buffer;
      if (part.done) break;
      const end = filled + part.bytes;
      if (end > maxBodyBytes) throw new BodyTooLargeError(maxBodyBytes);
      room.take(part.bytes, (declared ?? end) > SMALL_BODY_BYTES);
      filled = end;
      if (buffer.byteLength - filled < LEAST_PER_READ) {
        buffer = grown(buffer, filled, Math.min(2 * buffer.byteLength, (declared ?? maxBodyBytes) + LEAST_PER_READ));
      }
    }
  } catch (error) {
    source.cancel();
    free(buffer);
    throw error;
  } finally {
    clearTimeout(timer);
  }
  if (declared !== undefined && filled < declared) throw new Error("the body ended early");
  return new Uint8Array(buffer, 0, filled);
}

/** How {@link jsonBody} refuses a body, for the descriptions of the routes behind it. */
export const BODY_REFUSALS = {
  400: problem("The body is not JSON"),
  413: problem("The body is larger than 4 MiB, or than MAX_BODY_BYTES if that is less"),
  415: problem("The body is not sent as application/json"),
} as const;

/**
 * Prepares a JSON body for the routes behind it: {@link SETTINGS_BODY_BYTES} at most, and JSON in content and media type.
 * A form or plain text that happens to hold JSON is refused: any web page can send those across sites without asking.
 */
export function jsonBody({ maxBodyBytes, bodyTimeoutMs, bodyMemory }: BodyTerms): MiddlewareHandler {
  const terms = { maxBodyBytes: Math.min(maxBodyBytes, SETTINGS_BODY_BYTES), bodyTimeoutMs };
  return async (c, next) => {
    using room = bodyMemory.room();
    const bytes = await readBody(c.req.raw, terms, room);
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
