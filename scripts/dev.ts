/**
 * Runs the service for whoever works on its dashboard: `deno task dev`. Deno's own watcher never ends by itself, so what is
 * asked of the command line is answered here, before it.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { runCommand } from "./cli/command.ts";

const HELP = `Runs the service, and rebuilds and reloads the dashboard when its sources change. Ctrl-C ends it.

  deno task dev

Settings are in the environment, as for: deno task start --help

  PORT=3201 deno task dev`;

const WATCHED = ["routes", "islands", "components", "static"];

await runCommand({ task: "dev", help: HELP }, async (args) => {
  parseArgs({ args, options: {} });
  const watch = [`--watch=${WATCHED.join(",")}`, "--watch-exclude=_fresh"];
  const service = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", ...watch, new URL("dashboard.ts", import.meta.url).pathname, "--dev"],
  }).spawn();
  // Ctrl-C reaches the service by itself; a supervisor's signal is for us alone.
  Deno.addSignalListener("SIGINT", () => {});
  Deno.addSignalListener("SIGTERM", () => service.kill("SIGTERM"));
  return (await service.status).code;
});
