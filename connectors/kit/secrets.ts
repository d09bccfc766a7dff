import { Buffer } from "node:buffer";

/** A shorter text may stand in a message by chance, and says little. */
const SHORTEST_SECRET = 4;
const INSTEAD = "•••";

/**
 * `text` without the secrets in it, also where they are written for a URL, a quoted text or in base64: what a source
 * answers or a library says may quote what it was given.
 */
export function withoutSecrets(text: string, secrets: unknown): string {
  return textsIn(secrets).sort((a, b) => b.length - a.length)
    .reduce((clean, secret) => clean.replaceAll(secret, INSTEAD), text);
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") {
    const quoted = JSON.stringify(value).slice(1, -1);
    return [value, encodeURIComponent(value.toWellFormed()), quoted, ...base64Of(value)]
      .filter(({ length }) => length >= SHORTEST_SECRET);
  }
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** What stands of a text in the base64 of any longer one, such as user name and password: that depends on its place. */
function base64Of(text: string): string[] {
  const bytes = new TextEncoder().encode(text);
  return [0, 1, 2].map((before) => {
    const written = Buffer.concat([new Uint8Array(before), bytes]).toString("base64").replace(/=+$/, "");
    // The first digits hold bits of what stands before, and the last one perhaps of what stands behind.
    const first = Math.ceil(before * 8 / 6);
    return written.slice(first, Math.floor((before + bytes.length) * 8 / 6));
  });
}
