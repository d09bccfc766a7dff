import { resolve } from "node:path";
import { serviceCommand } from "../chaos/service_command.ts";
import { programConfig } from "./config.ts";
import { ENTRIES, programFiles } from "./files.ts";
import { launcher } from "./launcher.ts";

const ROOT = new URL("../../", import.meta.url);

/**
 * Writes the service into a folder, ready to run wherever this version of Deno is: its modules, the built dashboard, what
 * is read of the connectors, the npm packages that it imports in the versions of `deno.lock`, and the script `inlet` that
 * starts it. The folder needs nothing outside of it, and nothing in it is written to while it runs.
 *
 * @param folder Is emptied first.
 * @throws {Error} if the dashboard is not built, or a package cannot be had
 */
export async function assemble(folder: string): Promise<void> {
  const { paths, packages } = await programFiles(ROOT);
  await empty(folder);
  for (const path of [...paths, "deno.lock"]) {
    await Deno.mkdir(`${folder}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.copyFile(new URL(path, ROOT), `${folder}/${path}`);
  }
  const config: unknown = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
  await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify(programConfig(config, packages), null, 2));
  await Deno.writeTextFile(`${folder}/inlet`, launcher(await serviceCommand("$STORE")), { mode: 0o755 });
  await fillCache(resolve(folder));
}

async function empty(folder: string): Promise<void> {
  await Deno.remove(folder, { recursive: true }).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
}

/** Brings the packages, and drops from the folder's deno.lock what the program does not import. */
async function fillCache(folder: string): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["cache", "--quiet", ...ENTRIES],
    cwd: folder,
    env: { DENO_DIR: `${folder}/.deno` },
    stderr: "piped",
  }).output();
  if (!success) throw new Error(`Cannot assemble: ${new TextDecoder().decode(stderr)}`);
}
