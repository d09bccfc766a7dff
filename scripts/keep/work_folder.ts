import type { Config } from "../../server/config.ts";
import { folderOf, isLocalStore } from "../../server/kv_path.ts";
import { exists } from "../cli/paths.ts";
import { writeFailure } from "../cli/write_failure.ts";

/** Signals that end a command, with the code that a shell gives for it: 128 and the signal's number. */
const ENDS = [["SIGHUP", 129], ["SIGINT", 130], ["SIGTERM", 143]] as const;

/**
 * The folder of a local store, where there is one: what is made there can be renamed to be the store, and a program that may
 * use no other folder may use that. Else it is `undefined`, for where temporary files are.
 */
export async function folderBeside({ kvPath }: Config): Promise<string | undefined> {
  return isLocalStore(kvPath) && await exists(folderOf(kvPath)) ? folderOf(kvPath) : undefined;
}

/**
 * Lends a new folder, mode 0700, for what is in the making, and removes it: also where the command is ended meanwhile, by
 * Ctrl-C, SIGTERM or the end of its terminal.
 *
 * @param dir Where it is to be; `undefined`: where temporary files are.
 */
export async function inWorkFolder<T>(dir: string | undefined, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await Deno.makeTempDir({ prefix: "inlet-", ...dir === undefined ? {} : { dir } }).catch((error) => {
    throw writeFailure(`into ${dir ?? "the folder of temporary files (TMPDIR)"}`, error);
  });
  const listeners = ENDS.map(([signal, code]) => {
    const end = () => {
      try {
        Deno.removeSync(folder, { recursive: true });
      } finally {
        Deno.exit(code);
      }
    };
    Deno.addSignalListener(signal, end);
    return () => Deno.removeSignalListener(signal, end);
  });
  try {
    return await use(folder);
  } finally {
    for (const remove of listeners) remove();
    await Deno.remove(folder, { recursive: true });
  }
}
