/**
 * Asks the service on this machine whether it answers: for supervisors that run a command, as Docker does. Reads `HOST` and
 * `PORT` as the service does.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { reachedHereAt } from "../server/access/local.ts";
import { callOf } from "../server/commands.ts";
import { loadConfig } from "../server/config.ts";
import { CommandError, runCommand } from "./cli/command.ts";
import { explainFetchFailure } from "./doctor/fetch_failure.ts";

const CALL = callOf("healthy");

const HELP = `Asks the running service whether it answers. Ends with 0 if it does, and else with 1 and the reason.

  ${CALL}

HOST and PORT as for the service. For supervisors: it says nothing of the broker, whose loss a new start would not
mend.`;

/** How long an answer may take. */
const TIMEOUT_MS = 5000;

async function ask(): Promise<void> {
  // A start wants a PUBLIC_URL with the port 0, and this none.
  const settings = new Map([["PORT", Deno.env.get("PORT")], ["PUBLIC_URL", "http://localhost"]]);
  const { port } = loadConfig((name) => settings.get(name));
  if (port === 0) {
    throw new CommandError("Cannot ask the service: PORT is 0, a free one; set PORT to the one that its log names");
  }
  const host = Deno.env.get("HOST") || "127.0.0.1";
  const url = `http://${reachedHereAt(host, port)}/healthz`;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`it answers with ${response.status}`);
  } catch (error) {
    throw new CommandError(`Not well: ${url}: ${explainFetchFailure(error)}`);
  }
}

await runCommand({ task: "healthy", help: HELP }, async (args) => {
  parseArgs({ args, options: {} });
  await ask();
});
