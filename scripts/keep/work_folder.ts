import type { Config } from "../../server/config.ts";
import { folderOf, isLocalStore } from "../../server/kv_path.ts";
import { exists } from "./backup_file.ts";

/**
 * Lends a folder, mode 0700, for what is in the making, and removes it. It is in the folder of a local store, which is made
 * where it is missing, and goes again if nothing comes into it: there is room for a store, what is made can be renamed to
 * be one, and a program that may use no other folder may use that. For a database, it is one for temporary files.
 */
export async function inWorkFolder<T>({ kvPath }: Config, use: (folder: string) => Promise<T>): Promise<T> {
  const holder = isLocalStore(kvPath) ? folderOf(kvPath) : undefined;
  const isNew = holder !== undefined && !await exists(holder);
  if (holder !== undefined) await Deno.mkdir(holder, { recursive: true, mode: 0o700 });
  const folder = await Deno.makeTempDir({ prefix: "inlet-", ...holder === undefined ? {} : { dir: holder } });
  try {
    return await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
    // Refused by the system where something is in it.
    if (isNew) await Deno.remove(holder).catch(() => {});
  }
}
