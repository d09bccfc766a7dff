/**
 * Writes what runs in production, and nothing else, to dist/program or the folder that is named: `deno task assemble`.
 *
 * @module
 */
import { assemble } from "./assemble/assemble.ts";

const [folder = "dist/program", ...more] = Deno.args;
if (folder.startsWith("-") || more.length > 0) {
  // deno-lint-ignore no-console -- a command speaks on standard output
  console.log("Usage: deno task assemble [folder]\n\nThe folder, dist/program if none is named, is emptied first.");
  Deno.exit(folder === "--help" || folder === "-h" ? 0 : 1);
}
await assemble(folder);
// deno-lint-ignore no-console -- a command speaks on standard output
console.log(`wrote ${folder}: ${folder}/inlet starts it`);
