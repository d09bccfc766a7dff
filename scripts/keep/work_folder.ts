import type { Config } from "../../server/config.ts";
import { folderOf, isLocalStore } from "../../server/kv_path.ts";
import { exists } from "./backup_file.ts";

/**
 * Lends a folder, mode 0700, for what is in the making, and removes it. It is in the folder of a local store where there is
 * one: what is made can be renamed to be the store, and a program that may use no other folder may use that. Else it is
 * where temporary files are.
 */
export async function inWorkFolder<T>({ kvPath }: Config, use: (folder: string) => Promise<T>): Promise<T> {
  const holder = isLocalStore(kvPath) && await exists(folderOf(kvPath)) ? { dir: folderOf(kvPath) } : {};
  const folder = await Deno.makeTempDir({ prefix: "inlet-", ...holder });
  try {
    return await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
