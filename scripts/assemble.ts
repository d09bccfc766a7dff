/**
 * Writes what runs in production, and nothing else, to a folder: `deno task assemble`.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { assemble } from "./assemble/assemble.ts";

const HELP =
  `Writes what runs in production, and nothing else: modules, built dashboard, packages, and a script to start it.

  deno task assemble [FOLDER]

  FOLDER  default dist/program; an earlier program in it is replaced`;

function print(text: string): void {
  // deno-lint-ignore no-console -- a command speaks on standard output
  console.log(text);
}

async function write(folder = "dist/program", ...more: string[]): Promise<string> {
  if (more.length > 0) throw new Error(HELP);
  await assemble(folder);
  return `wrote ${folder}: ${folder}/inlet starts it`;
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: "boolean", short: "h" } },
  });
  print(values.help ? HELP : await write(...positionals));
} catch (error) {
  print(error instanceof Error ? error.message : String(error));
  Deno.exit(1);
}
