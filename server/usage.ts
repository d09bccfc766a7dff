/**
 * Answers the arguments of the start, before anything is opened: to be imported ahead of what starts the service.
 *
 * @module
 */
import { callOf, commandArguments } from "./commands.ts";
import { variables } from "./config.ts";

/** What the start prints at `--help`: every variable with its default and its meaning. */
function startHelp(): string {
  const settings = variables().map(({ name, default: standard, meaning }) => {
    const value = standard ? `${name}=${standard}` : name;
    return `  ${value}\n      ${meaning.replaceAll("`", "")}`;
  });
  return [
    "Runs the service, and its dashboard at http://localhost:3200. It stops at Ctrl-C or SIGTERM, in good order.",
    "",
    `  PORT=3201 AMQP_URL=amqp://localhost ${callOf("start")}`,
    "",
    "It takes no arguments: settings are in the environment, and all have a default or may be left out.",
    "",
    ...settings,
  ].join("\n");
}

/** What `deno task dev` starts the dashboard's builder with, which starts the service in the same process. */
const DEV = "--dev";

/** Ends the process if it was given arguments: with 0 and {@link startHelp} at `--help`, else with 2 and what is wrong. */
function answerArguments(args: readonly string[]): void {
  const [first] = args;
  if (first === undefined) return;
  if (args.some((arg) => arg === "--help" || arg === "-h")) {
    // deno-lint-ignore no-console -- it was asked for
    console.log(startHelp());
    Deno.exit(0);
  }
  // deno-lint-ignore no-console -- the log is not set up yet
  console.error(
    `Cannot start: ${first} is not known, settings are in the environment: PORT=3201, say; see: ${
      callOf("start")
    } --help`,
  );
  Deno.exit(2);
}

answerArguments(commandArguments().filter((arg) => arg !== DEV));
