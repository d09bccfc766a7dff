/**
 * Writes what runs in production, and nothing else, to a folder: `deno task assemble`.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { assemble } from "./assemble/assemble.ts";
import { print, runCommand, UsageError } from "./cli/command.ts";

const HELP =
  `Writes what runs in production, and nothing else: modules, built dashboard, packages, and a script to start it.

  deno task assemble [FOLDER]

  FOLDER  default dist/program; an earlier program in it is replaced`;

async function write(folder = "dist/program", ...more: string[]): Promise<string> {
  if (more.length > 0) throw new UsageError("name one folder");
  await assemble(folder);
  return `wrote ${folder}: ${folder}/inlet starts it`;
}

await runCommand({ task: "assemble", help: HELP }, async (args) => {
  const { positionals } = parseArgs({ args, allowPositionals: true, options: {} });
  print(await write(...positionals));
});
