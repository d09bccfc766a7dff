/**
 * The whole program, for where there is no checkout: what the script `inlet` of an assembled program and the file of `deno
 * compile` start. Without arguments it is the service; else the first one names a command.
 *
 * @module
 */
import { INLET_VERSION } from "../server/version.ts";
import { complain, listNames, print } from "./cli/command.ts";
import { DEFAULT_COMMAND, PROGRAM_COMMANDS } from "./cli/commands.ts";

const HELP = `Takes events in, and puts them on one RabbitMQ exchange. Settings are in the environment.

  inlet [COMMAND]

${listNames(PROGRAM_COMMANDS).join("\n")}

  inlet COMMAND --help   how it is called; for ${DEFAULT_COMMAND}, all settings
  inlet --version

  PORT=3201 AMQP_URL=amqp://localhost inlet`;

const [name = DEFAULT_COMMAND] = Deno.args;
const command = PROGRAM_COMMANDS.find((known) => known.name === name);
if (command !== undefined) await command.run();
else if (name === "--help" || name === "-h" || name === "help") print(HELP);
else if (name === "--version") print(`inlet ${INLET_VERSION} (deno ${Deno.version.deno})`);
else {
  const names = PROGRAM_COMMANDS.map(({ name }) => name).join(", ");
  complain(`Cannot run inlet: there is no command ${name}, only ${names}; see: inlet --help`);
  Deno.exit(2);
}
