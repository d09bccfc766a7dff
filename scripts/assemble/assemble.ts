import { resolve } from "node:path";
import { z } from "zod";
import { DEFAULT_COMMAND, PROGRAM_COMMANDS } from "../cli/commands.ts";
import { run } from "../cli/run.ts";
import { readTask } from "../cli/tasks.ts";
import { clearProgram } from "./clear.ts";
import { programConfig } from "./config.ts";
import { ENTRIES, ENTRY, programFiles } from "./files.ts";
import { launcher } from "./launcher.ts";
import { copyPackages } from "./packages.ts";

const ROOT = new URL("../../", import.meta.url);
/** What is in the folder beside what is copied there. */
const MADE = ["inlet", "deno.json", "deno.lock", ".deno"] as const;
const cacheSchema = z.object({ npmCache: z.string() });
const lockSchema = z.object({ npm: z.record(z.string(), z.unknown()) });

/**
 * Writes the service and the commands that look after it into a folder, ready to run wherever this version of Deno is: their
 * modules, the built dashboard, what is read of the connectors, the npm packages that are imported in the versions of
 * `deno.lock`, and the script `inlet`. The folder needs nothing outside of it, and nothing in it is written to while it runs.
 *
 * @param folder New, empty, or with an assembled program in it, which is removed.
 * @throws {Error} if the folder has anything else in it, the dashboard is not built, or a package cannot be had
 */
export async function assemble(folder: string): Promise<void> {
  const { paths, packages } = await programFiles(ROOT);
  await clearProgram(folder, new Set([...MADE, ...paths.map((path) => path.replace(/\/.*$/, ""))]));
  for (const path of [...paths, "deno.lock"]) {
    await Deno.mkdir(`${folder}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.copyFile(new URL(path, ROOT), `${folder}/${path}`);
  }
  const config: unknown = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
  await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify(programConfig(config, packages), null, 2));
  const tasks = await Promise.all(PROGRAM_COMMANDS.map(async ({ name }) => [name, await readTask(name)] as const));
  await Deno.writeTextFile(`${folder}/inlet`, launcher(ENTRY, new Map(tasks), DEFAULT_COMMAND), { mode: 0o755 });
  await fillCache(resolve(folder));
}

/** Drops from the folder's deno.lock what the program does not import, and puts the rest into a cache of its own. */
async function fillCache(folder: string): Promise<void> {
  await run(Deno.execPath(), ["cache", "--quiet", ...ENTRIES], { cwd: folder });
  const { npmCache } = cacheSchema.parse(JSON.parse(await run(Deno.execPath(), ["info", "--json"], { cwd: folder })));
  const { npm } = lockSchema.parse(JSON.parse(await Deno.readTextFile(`${folder}/deno.lock`)));
  await copyPackages(Object.keys(npm), npmCache, `${folder}/.deno/npm`);
  await run(Deno.execPath(), ["cache", "--quiet", ...ENTRIES], { cwd: folder, env: { DENO_DIR: `${folder}/.deno` } });
}
