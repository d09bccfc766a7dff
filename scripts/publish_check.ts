/**
 * Tries what publishing the packages would do, and publishes nothing: `deno task publish:check`. What is in dist/, or in
 * the folder that is named, is checked as npm would take it, the packages' sources as JSR would. Neither asks a registry
 * or who is logged in: whether a name or a version is free shows only when it is published.
 *
 * @module
 */
import { run } from "./pack/run.ts";

const ROOT = new URL("../", import.meta.url).pathname;

function print(line: string): void {
  // deno-lint-ignore no-console -- a command speaks on standard output
  console.log(line);
}

const [dist = `${ROOT}dist`] = Deno.args;
const listed = await Array.fromAsync(Deno.readDir(dist), ({ name }) => name);
for (const tarball of listed.filter((name) => name.endsWith(".tgz")).sort()) {
  await run(dist, "npm", "publish", "--dry-run", "--offline", "--tag", "latest", `./${tarball}`);
  print(`npm would take ${tarball}`);
}
// Slow types: payload types are inferred from schemas, and would have to be written twice to be stated.
await run(ROOT, Deno.execPath(), "publish", "--dry-run", "--allow-slow-types", "--allow-dirty");
print("JSR would take all packages");
