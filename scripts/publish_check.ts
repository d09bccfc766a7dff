/**
 * Tries what publishing the packages would do, and publishes nothing: `deno task publish:check`. The tarballs are checked as
 * npm would take them, the packages' sources as JSR would. Neither asks a registry or who is logged in: whether a name or a
 * version is free shows only when it is published.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { print, runCommand, UsageError } from "./cli/command.ts";
import { Progress } from "./cli/progress.ts";
import { run } from "./cli/run.ts";
import { packAll } from "./pack/tarballs.ts";

const ROOT = new URL("../", import.meta.url).pathname;

const HELP = `Packs the packages to dist/, tries what publishing them to npm and JSR would do, and publishes nothing.

  deno task publish:check [FOLDER]

  FOLDER  holds tarballs already: they are checked, and none are packed

Says what each registry would take, or ends with 1 and the registry's own complaint.`;

async function pack(): Promise<string> {
  const progress = new Progress();
  await packAll(new URL(`file://${ROOT}dist/`), (step) => progress.show(step)).finally(() => progress.clear());
  return `${ROOT}dist`;
}

await runCommand({ task: "publish:check", help: HELP }, async (args) => {
  const { positionals: [folder, ...more] } = parseArgs({ args, allowPositionals: true, options: {} });
  if (more.length > 0) throw new UsageError("name one folder");
  const dist = folder ?? await pack();
  const listed = await Array.fromAsync(Deno.readDir(dist), ({ name }) => name);
  for (const tarball of listed.filter((name) => name.endsWith(".tgz")).sort()) {
    await run("npm", ["publish", "--dry-run", "--offline", "--tag", "latest", `./${tarball}`], { cwd: dist });
    print(`npm would take ${tarball}`);
  }
  // Slow types: payload types are inferred from schemas, and would have to be written twice to be stated.
  await run(Deno.execPath(), ["publish", "--dry-run", "--allow-slow-types", "--allow-dirty"], { cwd: ROOT });
  print("JSR would take all packages");
});
