import { DEFAULT_KV_PATH, folderOf, isLocalStore } from "../../server/kv_path.ts";
import { placedOptions, STORE } from "../assemble/options.ts";
import { serviceCommand } from "../chaos/service_command.ts";
import { CommandError, run } from "./run.ts";

/**
 * The options that `deno compile` is called with, so that the executable has the permissions of the start task. Folders of
 * the program are left out: what is inside can always be read.
 */
export async function compileOptions(storeFolder: string): Promise<string[]> {
  return placedOptions(await serviceCommand(STORE), (folder) => folder === STORE ? storeFolder : undefined);
}

/** That there is no denort, Deno's runtime for executables: `deno compile` downloads it from dl.deno.land. */
export class RuntimeMissingError extends Error {}

/**
 * Makes an executable of an assembled program with `deno compile`. It has the permissions of the start task; since they are
 * fixed in it, the folder of the store is too.
 *
 * @param program The folder that `assemble()` wrote.
 * @param output The file to write.
 * @param kvPath The store that it may use; default: the one of the service, in the folder where it is started.
 * @throws {RuntimeMissingError} if the runtime is neither named in `DENORT_BIN` nor can it be downloaded
 */
export async function compileExecutable(program: string, output: string, kvPath: string | undefined): Promise<void> {
  const options = await compileOptions(folderOf(isLocalStore(kvPath) ? kvPath : DEFAULT_KV_PATH));
  const included = ["_fresh/static", "connectors"].flatMap((folder) => ["--include", folder]);
  const making = ["compile", "--quiet", "--no-check", "--exclude-unused-npm", "--output", output];
  try {
    // The program's own packages: Deno's cache holds what deno compile stumbles over, see assemble/packages.ts.
    const env = { DENO_DIR: `${program}/.deno` };
    await run(Deno.execPath(), [...making, ...included, ...options, "start.ts"], program, env);
  } catch (error) {
    if (!(error instanceof CommandError) || !/\bdenort\b/.test(error.said)) throw error;
    throw new RuntimeMissingError(
      `deno compile cannot download denort ${Deno.version.deno}, its runtime, from dl.deno.land (DENORT_BIN names one)`,
      { cause: error },
    );
  }
}
