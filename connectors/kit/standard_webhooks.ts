import { Buffer } from "node:buffer";
import { z } from "zod";
import { freshness } from "./freshness.ts";
import { matchSignatures, missing, signatureOf } from "./hmac.ts";
import type { Delivery, Verdict } from "./webhook.ts";

const ID = "webhook-id";
const TIMESTAMP = "webhook-timestamp";
const SIGNATURE = "webhook-signature";
const VERSION = "v1,";
const KEY_PREFIX = "whsec_";
const LEAST_KEY_BYTES = 24;
const MOST_KEY_BYTES = 64;

/**
 * A signing secret of Standard Webhooks: `whsec_` and 24 to 64 random bytes in base64
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md). The prefix may be absent.
 */
export const standardWebhooksSecretSchema: z.ZodString = z.string().refine(
  isSecret,
  'expected "whsec_" and 24 to 64 bytes in base64; make one with: echo whsec_$(openssl rand -base64 32)',
);

/**
 * Verifies a delivery that is signed as Standard Webhooks says: `webhook-signature` lists `v1,` and the HMAC-SHA256, in
 * base64, of id, time and body. `webhook-timestamp` may be five minutes off, either way.
 */
export function standardWebhooks(delivery: Delivery, secret: string): Verdict {
  const { headers } = delivery;
  const id = headers.get(ID);
  const signature = headers.get(SIGNATURE);
  if (!id) return missing(ID);
  if (!signature) return missing(SIGNATURE);
  const fresh = freshness(delivery, TIMESTAMP);
  if (!fresh.authentic) return fresh;
  const signatures = signature.split(" ").filter((text) => text.startsWith(VERSION));
  const digest = digestFor(secret, id, headers.get(TIMESTAMP) ?? "");
  const texts = signatures.map((text) => text.slice(VERSION.length));
  return matchSignatures(delivery, texts, digest, `the header ${SIGNATURE}`, VERSION);
}

/** The headers that sign a request so; the id is the request's own `webhook-id`, or a new one. */
export function standardWebhooksHeaders(
  { headers, body, receivedAt }: Delivery,
  secret: string,
): Record<string, string> {
  const id = headers.get(ID) ?? `msg_${crypto.randomUUID()}`;
  const timestamp = String(Math.floor(receivedAt.getTime() / 1000));
  const signature = `${VERSION}${signatureOf(body, digestFor(secret, id, timestamp))}`;
  return { [ID]: id, [TIMESTAMP]: timestamp, [SIGNATURE]: signature };
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.startsWith(KEY_PREFIX) ? secret.slice(KEY_PREFIX.length) : secret, "base64");
}

function isSecret(text: string): boolean {
  const key = keyOf(text);
  const canonical = key.toString("base64").replace(/=+$/, "");
  const written = text.replace(KEY_PREFIX, "").replace(/=+$/, "");
  return written === canonical && key.length >= LEAST_KEY_BYTES && key.length <= MOST_KEY_BYTES;
}

function digestFor(secret: string, id: string, timestamp: string) {
  return {
    key: keyOf(secret),
    encoding: "base64" as const,
    signs: (body: Uint8Array) => [`${id}.${timestamp}.`, body],
  };
}
