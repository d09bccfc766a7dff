import { type Delivery, parseJson, ShapeError } from "../kit/mod.ts";

/** To read so many different ones, and to check what they hold, takes a fifth of a second. */
const MOST_NAMES = 50_000;

const [QUOTE, BACKSLASH, COLON] = new TextEncoder().encode('"\\:');

/**
 * Reads the body, which has to be JSON.
 *
 * @throws {MalformedBodyError} if it is something else
 * @throws {ShapeError} if its objects have too many names, all together
 */
export function parse({ body }: Delivery): unknown {
  if (!hasMoreNames(body, MOST_NAMES)) return parseJson(body);
  const detail = `has more than ${MOST_NAMES} names: send its events in parts`;
  throw new ShapeError(`Cannot read the delivery: it ${detail}`, [{ pointer: "", detail }]);
}

/** Whether JSON has more than `most` names, before it is parsed: behind each is a colon that is in no text. */
function hasMoreNames(json: Uint8Array, most: number): boolean {
  let names = 0;
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) isText = !isText;
    else if (isText && byte === BACKSLASH) at++;
    else if (!isText && byte === COLON && ++names > most) return true;
  }
  return false;
}
