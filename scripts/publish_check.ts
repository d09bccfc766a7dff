/**
 * Tries what publishing the packages would do, and publishes nothing: `deno task publish:check`. What is in dist/ is
 * checked as npm would take it, the packages' sources as JSR would. Neither needs the network beyond what is installed.
 *
 * @module
 */
import { run } from "./pack/run.ts";

const ROOT = new URL("../", import.meta.url).pathname;

function print(line: string): void {
  // deno-lint-ignore no-console -- a command speaks on standard output
  console.log(line);
}

const listed = await Array.fromAsync(Deno.readDir(`${ROOT}dist`), ({ name }) => name);
for (const tarball of listed.filter((name) => name.endsWith(".tgz")).sort()) {
  await run(ROOT, "npm", "publish", "--dry-run", "--offline", "--tag", "latest", `./dist/${tarball}`);
  print(`npm would take ${tarball}`);
}
// Slow types: payload types are inferred from schemas, and would have to be written twice to be stated.
await run(ROOT, Deno.execPath(), "publish", "--dry-run", "--allow-slow-types", "--allow-dirty");
print("JSR would take all packages");
