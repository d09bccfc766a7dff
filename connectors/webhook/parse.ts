import { type Delivery, isDeeper, MalformedBodyError, parseJson, ShapeError } from "../kit/mod.ts";

/** Deeper JSON is no sender's data, and writing it out again would exhaust the stack. */
const DEEPEST = 200;

/**
 * Reads the body, which has to be JSON.
 *
 * @throws {MalformedBodyError} if it is something else
 * @throws {ShapeError} if lists and objects are nested too deeply in it
 */
export function parse({ headers, body }: Delivery): unknown {
  const type = headers.get("content-type")?.toLowerCase() ?? "";
  if (/^(?:application\/x-www-form-urlencoded|multipart\/)/.test(type)) {
    throw new MalformedBodyError("Cannot read the body: it came as a form; let the sender send JSON");
  }
  const value = parseJson(body);
  if (!isDeeper(value, DEEPEST)) return value;
  const detail = `lists and objects are nested more than ${DEEPEST} levels deep`;
  throw new ShapeError(`Cannot read the delivery: ${detail}`, [{ pointer: "", detail }]);
}
