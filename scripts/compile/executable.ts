import { DEFAULT_KV_PATH, folderOf, isLocalStore } from "../../server/kv_path.ts";
import { ENTRY } from "../assemble/files.ts";
import { placedOptions } from "../assemble/options.ts";
import { run, RunError } from "../cli/run.ts";
import { readTask, STORE } from "../cli/tasks.ts";

/**
 * The options that `deno compile` is called with. An executable has one set of permissions for all its commands: those of the
 * start task, short of the folders of the program, since what is inside can always be read; and what the doctor's task asks
 * the system for, which tells free room and the user's id. So other commands have the store's folder only, too.
 */
export async function compileOptions(storeFolder: string): Promise<string[]> {
  const [start, doctor] = await Promise.all([readTask("start"), readTask("doctor")]);
  return [
    ...placedOptions(start.args, (folder) => folder === STORE ? storeFolder : undefined),
    ...doctor.args.filter((option) => option.startsWith("--allow-sys=")),
  ];
}

/** That there is no denort, Deno's runtime for executables: `deno compile` downloads it from dl.deno.land. */
export class RuntimeMissingError extends Error {}

/**
 * Makes an executable of an assembled program with `deno compile`. Its permissions are those of {@link compileOptions}; since
 * they are fixed in it, the folder of the store is too.
 *
 * @param program The folder that `assemble()` wrote.
 * @param output The file to write.
 * @param kvPath The store that it may use; default: the one of the service, in the folder where it is started.
 * @param surroundings Variables that `deno compile` finds besides those of this process; for tests.
 * @throws {RuntimeMissingError} if the runtime is neither named in `DENORT_BIN` nor can it be downloaded
 */
export async function compileExecutable(
  program: string,
  output: string,
  kvPath: string | undefined,
  surroundings: Readonly<Record<string, string>> = {},
): Promise<void> {
  const options = await compileOptions(folderOf(isLocalStore(kvPath) ? kvPath : DEFAULT_KV_PATH));
  const included = ["_fresh/static", "connectors"].flatMap((folder) => ["--include", folder]);
  const making = ["compile", "--quiet", "--no-check", "--exclude-unused-npm", "--output", output];
  try {
    const env = {
      ...surroundings,
      // The program's own packages: Deno's cache holds what deno compile stumbles over, see assemble/packages.ts.
      DENO_DIR: `${program}/.deno`,
      // Whether there are traces is fixed in an executable, what keeps webhook tokens out of them cannot be (Deno 2.9.6): none.
      OTEL_SDK_DISABLED: "true",
    };
    await run(Deno.execPath(), [...making, ...included, ...options, ENTRY], { cwd: program, env });
  } catch (error) {
    if (!(error instanceof RunError) || !/\bdenort\b/.test(error.said)) throw error;
    throw new RuntimeMissingError(
      `deno compile cannot download denort ${Deno.version.deno}, its runtime, from dl.deno.land (DENORT_BIN names one)`,
      { cause: error },
    );
  }
}
