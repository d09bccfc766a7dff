import { InvalidInputError } from "../errors.ts";

/** Longest name of a workspace or an API key, in characters. */
const LONGEST_NAME = 200;
/** Control characters, and those that turn the direction of what stands behind: names stand in logs and in sentences. */
const UNSEEN = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

/**
 * A name that people gave, without the blanks around it.
 *
 * @param pointer JSON Pointer (RFC 6901) of where it was given.
 * @throws {InvalidInputError} if nothing is left, it is too long, or has characters that nobody sees
 */
export function cleanName(name: string, pointer: string): string {
  const clean = name.trim();
  if (clean !== "" && clean.length <= LONGEST_NAME && !UNSEEN.test(clean)) return clean;
  const detail = `must be a text of 1 to ${LONGEST_NAME} characters, on one line`;
  throw new InvalidInputError("Cannot take the name: it does not fit", [{ pointer, detail }]);
}
