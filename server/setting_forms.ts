import { z } from "zod";
import { amqpUrlsIn, hasUsablePort } from "./amqp_urls.ts";
import { durationSchema } from "./duration.ts";
import { routingKeyOf } from "./routing_key.ts";

/** The forms that settings have as text in the environment; each says what it expects instead. */

const DAY_MS = 86_400_000;
const HTTP = ["http:", "https:"];
const AMQP = ["amqp:", "amqps:"];
const KEY = /^(?:[0-9a-f]{64}|[A-Za-z0-9+/_-]{43}=?)$/i;
const KEY_EXPECTED = "expected 32 bytes in base64 or hex; make one with: openssl rand -base64 32";
/** AMQP 0-9-1, section 4.2.5.3: a short string. */
const MOST_ROUTING_KEY_BYTES = 255;
/** `webhook.<entity>.<action>`, with 64 characters each; connectors' ids are shorter than this. */
const LONGEST = { type: "x".repeat(137), source: "x".repeat(32), workspaceId: "x".repeat(36) } as const;

/** Decimal digits only. */
export function wholeNumber(least: number, most: number): z.ZodType<number, string> {
  const expected = `expected a whole number from ${least} to ${most}`;
  return z.string().regex(/^\d+$/, expected).transform(Number)
    .refine((value) => value >= least && value <= most, expected);
}

/** A duration, up to a day: a timer beyond 24 days ends at once (Deno 2.9.6). */
export const timeoutSchema = durationSchema.refine((ms) => ms <= DAY_MS, "expected a duration up to 24h");

/** A name or an address of IPv4, or an address of IPv6 with or without brackets. */
export const hostSchema = z.string().regex(
  /^(?:[\w.-]+|[\da-f:.]+(?:%\w+)?|\[[\da-f:.]+(?:%\w+)?\])$/i,
  "expected a host name or an IP address, without http:// and port",
);

/** What callers prove themselves with. */
export const tokenSchema = z.string().regex(
  /^[\x21-\x7e]{16,}$/,
  "expected 16 characters or more, printable and without blanks; make one with: openssl rand -hex 32",
);

/** A key of 32 bytes. */
export const keySchema = z.string().trim().regex(KEY, KEY_EXPECTED);

/** Such keys with commas between, or none. */
export const keysSchema = z.string()
  .transform((text) => text.split(",").map((key) => key.trim()).filter((key) => key !== ""))
  .refine((keys) => keys.every((key) => KEY.test(key)), `${KEY_EXPECTED}, with commas between several`);

/** What paths are put behind: after a query or a fragment they would be part of that. */
export const baseUrlSchema = z.string().trim().refine(
  (text) => isUrlOf(HTTP, text) && !/[?#\s]/.test(text),
  `${expectedUrl(HTTP)}, without ?, # and blanks`,
);

/** The broker's addresses, as {@link amqpUrlsIn} reads them. */
export const amqpUrlsSchema = z.string().refine((text) => amqpUrlsIn(text).every(hasUsablePort), {
  error: "expected a port from 1 to 65535 after the host and its colon, or neither colon nor port",
  abort: true,
}).refine(
  (text) => amqpUrlsIn(text).every((url) => isUrlOf(AMQP, url) && !new URL(url).hostname.includes(",")),
  `${expectedUrl(AMQP)}, with special characters in user and password percent-encoded (# as %23, / as %2F); ` +
    "of a cluster, several such with commas between",
).refine(
  (text) => amqpUrlsIn(text).filter((url) => isUrlOf(AMQP, url)).map((url) => new URL(url)).every(isDecodable),
  "expected a % in user or password as %25: special characters are percent-encoded",
);

/** A template of routing keys, none of which is too long for AMQP. */
export const routingKeySchema = z.string().refine(
  (template) => /^(?:[^{}]|\{(?:type|source|workspaceId)\})+$/.test(template),
  "expected text with {type}, {source} or {workspaceId} in it",
).refine(
  (template) => new TextEncoder().encode(routingKeyOf(template, LONGEST)).length <= MOST_ROUTING_KEY_BYTES,
  `expected shorter text: with the longest type and source, routing keys would exceed ${MOST_ROUTING_KEY_BYTES} bytes`,
);

function isUrlOf(protocols: readonly string[], text: string): boolean {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol);
}

function expectedUrl(protocols: readonly string[]): string {
  return `expected a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`;
}

function isDecodable({ username, password }: URL): boolean {
  try {
    return decodeURIComponent(username + password) !== undefined;
  } catch {
    return false;
  }
}
