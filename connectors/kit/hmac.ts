import { Buffer } from "node:buffer";
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Delivery, Verdict } from "./webhook.ts";

/** How one source makes the digest that it signs with. */
export interface Digest {
  /** Hash function of the HMAC; default `sha256`. */
  readonly algorithm?: "sha256" | "sha512" | undefined;
  /** How the signature is written; default `hex`. */
  readonly encoding?: "hex" | "base64" | undefined;
  /** The shared secret; a text stands for its UTF-8 bytes. */
  readonly key: string | Uint8Array;
  /** What is signed, part by part; default the body alone. */
  readonly signs?: ((body: Uint8Array) => readonly (string | Uint8Array)[]) | undefined;
}

/** How one source signs its deliveries. */
export interface HmacRule extends Digest {
  /** Name of the header that carries the signature. */
  readonly header: string;
  /** What stands before the signature in the header's value, such as `sha256=`; default none. */
  readonly prefix?: string | undefined;
}

/**
 * Verifies that a delivery carries the HMAC that `rule` describes (RFC 2104), compared in constant time. `node:crypto` and
 * not WebCrypto: synchronous and several times cheaper per delivery (see docs/decisions.md).
 */
export function hmac(delivery: Delivery, rule: HmacRule): Verdict {
  const { header, prefix = "" } = rule;
  const value = delivery.headers.get(header);
  if (value === null || value === "") return missing(header);
  const texts = value.startsWith(prefix) ? [value.slice(prefix.length)] : [];
  return matchSignatures(delivery, texts, rule, `the header ${header}`, prefix);
}

/** The verdict on a delivery without the header that it needs. */
export function missing(header: string): Verdict {
  return { authentic: false, fault: "missing", detail: `the header ${header} is missing` };
}

/**
 * Verifies that one of `signatures` is the digest of the delivery: a source that is changing its secret sends two. `place`
 * names where they stood, for the words of the verdict, and `prefix` what stands before one there.
 */
export function matchSignatures(
  delivery: Delivery,
  signatures: readonly string[],
  digest: Digest,
  place: string,
  prefix: string = "",
): Verdict {
  const { encoding = "hex" } = digest;
  const expected = digestOf(delivery.body, digest);
  const given = signatures.map((text) => decode(text, encoding)).filter((bytes) => bytes?.length === expected.length);
  if (given.length === 0) {
    const shape = `${prefix}<${expected.length} bytes in ${encoding}>`;
    return { authentic: false, fault: "malformed", detail: `${place} is not of the form ${shape}` };
  }
  if (given.some((bytes) => bytes !== undefined && timingSafeEqual(bytes, expected))) return { authentic: true };
  const detail = `${place} does not match the body: the secret differs, or the body was changed on its way`;
  return { authentic: false, fault: "mismatch", detail: `${detail}${hintOf(delivery.headers)}` };
}

/** What often is the cause, so that whoever set it up looks there first. */
function hintOf(headers: Headers): string {
  const isForm = headers.get("content-type")?.includes("application/x-www-form-urlencoded");
  return isForm ? ". It came as a form: a client or proxy may have re-encoded the body after it was signed" : "";
}

/** The header that a source which signs by `rule` sends along with `body`: what {@link hmac} accepts. */
export function hmacHeader(body: Uint8Array, rule: HmacRule): Record<string, string> {
  return { [rule.header]: `${rule.prefix ?? ""}${signatureOf(body, rule)}` };
}

/** The signature that a source makes of `body`, in its encoding. */
export function signatureOf(body: Uint8Array, digest: Digest): string {
  return digestOf(body, digest).toString(digest.encoding ?? "hex");
}

/** Whether two texts are equal, in a time that tells nothing of either but its length. */
export function equalInConstantTime(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function digestOf(body: Uint8Array, { algorithm = "sha256", key, signs = (body) => [body] }: Digest): Buffer {
  const hash = createHmac(algorithm, key);
  for (const part of signs(body)) typeof part === "string" ? hash.update(part) : hash.update(part);
  return hash.digest();
}

/** Decodes strictly: `Buffer.from` would skip what it cannot read and let several spellings through. */
function decode(text: string, encoding: "hex" | "base64"): Buffer | undefined {
  const bytes = Buffer.from(text, encoding);
  const canonical = bytes.toString(encoding);
  return canonical === (encoding === "hex" ? text.toLowerCase() : text) ? bytes : undefined;
}
