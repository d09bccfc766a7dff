import { MalformedBodyError } from "./errors.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Parses raw bytes as JSON in UTF-8 (RFC 8259).
 *
 * @throws {MalformedBodyError} if they are not
 */
export function parseJson(body: Uint8Array): unknown {
  return parseJsonText(decodeUtf8(body));
}

/** Whether a request's body is form-encoded, as its `content-type` says. */
export function isForm(headers: Headers): boolean {
  const [type = ""] = (headers.get("content-type") ?? "").split(";", 1);
  return type.trim().toLowerCase() === "application/x-www-form-urlencoded";
}

/**
 * Parses the JSON that a form-encoded body (`application/x-www-form-urlencoded`) carries in one of its fields.
 *
 * @throws {MalformedBodyError} if the field is absent or does not hold JSON
 */
export function parseJsonField(body: Uint8Array, field: string): unknown {
  const text = formField(decodeUtf8(body), field);
  if (text === null) {
    throw new MalformedBodyError(
      `Cannot read the body: the form has no field "${field}"; JSON is sent with content-type: application/json`,
    );
  }
  return parseJsonText(text);
}

/**
 * What a form holds in the field `name`, a plain word; null where it has no such field. Only that field is decoded: to take
 * apart a form of millions of fields takes longer than anybody waits, and is asked for before a signature is checked.
 */
export function formField(form: string, name: string): string | null {
  const [, field] = new RegExp(`(?:^|&)(${name}=[^&]*)`).exec(form) ?? [];
  return field === undefined ? null : new URLSearchParams(field).get(name);
}

/**
 * Decodes raw bytes as UTF-8.
 *
 * @throws {MalformedBodyError} if they are not
 */
export function decodeUtf8(body: Uint8Array): string {
  try {
    return utf8.decode(body);
  } catch {
    throw new MalformedBodyError("Cannot read the body: it is not UTF-8 text");
  }
}

function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the input, which may hold what the sender keeps secret.
    throw new MalformedBodyError("Cannot read the body: it is not JSON");
  }
}
