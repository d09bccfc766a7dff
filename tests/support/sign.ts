import { createHmac } from "node:crypto";

/** HMAC-SHA256 of `body` in hex, as a source signs. */
export function sign(secret: string, body: string | Uint8Array): string {
  return createHmac("sha256", secret).update(body).digest("hex");
}
