/**
 * Writes an npm tarball of each package to dist/: `deno task pack`. The code is `deno pack`'s, the types are the
 * compiler's own, for `deno pack` gives none where types are inferred.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { print, runCommand } from "./cli/command.ts";
import { Progress } from "./cli/progress.ts";
import { packAll } from "./pack/tarballs.ts";

const HELP = `Writes an npm tarball of each package to dist/, and removes older ones.

  deno task pack

  npm install ./dist/*.tgz   takes them into another project`;

await runCommand({ task: "pack", help: HELP }, async (args) => {
  parseArgs({ args, options: {} });
  const progress = new Progress();
  const tarballs = await packAll(new URL("../dist/", import.meta.url), (step) => progress.show(step))
    .finally(() => progress.clear());
  print(tarballs.map((file) => `wrote dist/${file}`).join("\n"));
});
