/**
 * Prints the folder that the store needs, so that the start task can name it in its permissions.
 *
 * @module
 */
import { DEFAULT_KV_PATH, folderOf, isLocalStore } from "../server/kv_path.ts";

const kvPath = Deno.env.get("KV_PATH") || DEFAULT_KV_PATH;
// deno-lint-ignore no-console -- the task reads it
console.log(isLocalStore(kvPath) ? folderOf(kvPath) : folderOf(DEFAULT_KV_PATH));
