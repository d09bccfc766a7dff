import { Buffer } from "node:buffer";
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Delivery, Verdict } from "./webhook.ts";

/** How one source signs its deliveries. */
export interface HmacRule {
  /** Name of the header that carries the signature. */
  readonly header: string;
  /** What stands before the signature in the header's value, such as `sha256=`; default none. */
  readonly prefix?: string;
  /** Hash function of the HMAC; default `sha256`. */
  readonly algorithm?: "sha256" | "sha512";
  /** How the signature is written; default `hex`. */
  readonly encoding?: "hex" | "base64";
  /** The shared secret; its UTF-8 bytes are the HMAC key. */
  readonly key: string;
}

/**
 * Verifies that a delivery's raw body bytes carry the HMAC that `rule` describes (RFC 2104), compared in constant time.
 * `node:crypto` and not WebCrypto: synchronous and several times cheaper per delivery (see docs/decisions.md).
 */
export function hmac(delivery: Delivery, rule: HmacRule): Verdict {
  const { header, prefix = "", encoding = "hex" } = rule;
  const value = delivery.headers.get(header);
  if (value === null || value === "") {
    return { authentic: false, fault: "missing", detail: `the header ${header} is missing` };
  }
  const expected = digest(delivery.body, rule);
  const given = value.startsWith(prefix) ? decode(value.slice(prefix.length), encoding) : undefined;
  if (given === undefined || given.length !== expected.length) {
    const shape = `${prefix}<${expected.length} bytes in ${encoding}>`;
    return { authentic: false, fault: "malformed", detail: `the header ${header} is not of the form ${shape}` };
  }
  if (!timingSafeEqual(given, expected)) {
    const detail =
      `the header ${header} does not match the body: the secret differs, or the body was changed on its way`;
    return { authentic: false, fault: "mismatch", detail: `${detail}${hintOf(delivery.headers)}` };
  }
  return { authentic: true };
}

/** What often is the cause, so that whoever set it up looks there first. */
function hintOf(headers: Headers): string {
  const isForm = headers.get("content-type")?.includes("application/x-www-form-urlencoded");
  return isForm ? ". It came as a form: a client or proxy may have re-encoded the body after it was signed" : "";
}

/** The header that a source which signs by `rule` sends along with `body`: what {@link hmac} accepts. */
export function hmacHeader(body: Uint8Array, rule: HmacRule): Record<string, string> {
  const { header, prefix = "", encoding = "hex" } = rule;
  return { [header]: `${prefix}${digest(body, rule).toString(encoding)}` };
}

function digest(body: Uint8Array, { algorithm = "sha256", key }: HmacRule): Buffer {
  return createHmac(algorithm, key).update(body).digest();
}

/** Decodes strictly: `Buffer.from` would skip what it cannot read and let several spellings through. */
function decode(text: string, encoding: "hex" | "base64"): Buffer | undefined {
  const bytes = Buffer.from(text, encoding);
  const canonical = bytes.toString(encoding);
  return canonical === (encoding === "hex" ? text.toLowerCase() : text) ? bytes : undefined;
}
