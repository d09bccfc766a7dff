/** Where the store is when `KV_PATH` does not say. */
export const DEFAULT_KV_PATH = "./data/inlet.sqlite3";

/** Whether `kvPath` names a file of this machine, and not a KV Connect database or the platform's own. */
export function isLocalStore(kvPath: string | undefined): kvPath is string {
  return kvPath !== undefined && !/^https?:/.test(kvPath);
}

/** The folder that holds the store's file, and the key beside it. */
export function folderOf(kvPath: string): string {
  const end = kvPath.lastIndexOf("/");
  return end < 0 ? "." : kvPath.slice(0, end) || "/";
}
