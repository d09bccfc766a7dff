/**
 * Ends with code 0 if the service on this machine answers, and with 1 and the reason if it does not: for supervisors that
 * run a command, as Docker does. Reads `HOST` and `PORT` as the service does.
 *
 * @module
 */
import { loadConfig } from "../server/config.ts";

/** How long an answer may take. */
const TIMEOUT_MS = 5000;

const { port } = loadConfig((name) => name === "PORT" ? Deno.env.get(name) : undefined);
const host = Deno.env.get("HOST") || "127.0.0.1";
const address = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
const url = `http://${address.includes(":") ? `[${address}]` : address}:${port}/healthz`;

try {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`it answers with ${response.status}`);
} catch (error) {
  // deno-lint-ignore no-console -- what the supervisor shows
  console.error(`Not well: ${url}: ${error instanceof Error ? error.message : error}`);
  Deno.exit(1);
}
