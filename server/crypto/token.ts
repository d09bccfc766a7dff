import { createHash } from "node:crypto";
import type { Tokens } from "../deps.ts";

/** Webhook tokens: 32 random bytes in base64url, 43 characters; looked up by their SHA-256. */
export const tokens: Tokens = {
  issue() {
    return crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet: "base64url", omitPadding: true });
  },
  hash(token) {
    return createHash("sha256").update(token).digest("base64url");
  },
};
