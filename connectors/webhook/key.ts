import { Buffer } from "node:buffer";
import type { Preset } from "./settings.ts";

const WHSEC = "whsec_";

/** The key that a secret stands for; `undefined` if it is not written in that encoding. */
export function keyOf(secret: string, encoding: Preset["secretEncoding"]): Uint8Array | undefined {
  switch (encoding) {
    case "utf8":
      return Buffer.from(secret);
    case "hex":
      return decoded(secret.toLowerCase(), "hex");
    case "base64":
      return decoded(secret, "base64");
    case "whsec":
      return decoded(secret.startsWith(WHSEC) ? secret.slice(WHSEC.length) : secret, "base64");
  }
}

/** Decodes strictly: `Buffer.from` would skip what it cannot read, and make another key of a typing mistake. */
function decoded(text: string, encoding: "hex" | "base64"): Uint8Array | undefined {
  const bytes = Buffer.from(text, encoding);
  const written = (text: string) => encoding === "base64" ? text.replace(/=+$/, "") : text;
  return bytes.length > 0 && written(bytes.toString(encoding)) === written(text) ? bytes : undefined;
}
