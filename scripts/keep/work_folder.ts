import type { Config } from "../../server/config.ts";
import { folderOf, isLocalStore } from "../../server/kv_path.ts";
import { writeFailure } from "../cli/write_failure.ts";
import { exists } from "./backup_file.ts";

/**
 * Lends a folder, mode 0700, for what is in the making, and removes it. It is in the folder of a local store where there is
 * one: what is made can be renamed to be the store, and a program that may use no other folder may use that. Else it is
 * where temporary files are.
 */
export async function inWorkFolder<T>({ kvPath }: Config, use: (folder: string) => Promise<T>): Promise<T> {
  const holder: { dir?: string } = isLocalStore(kvPath) && await exists(folderOf(kvPath))
    ? { dir: folderOf(kvPath) }
    : {};
  const folder = await Deno.makeTempDir({ prefix: "inlet-", ...holder }).catch((error) => {
    throw writeFailure(`into ${holder.dir ?? "the folder of temporary files (TMPDIR)"}`, error);
  });
  try {
    return await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
