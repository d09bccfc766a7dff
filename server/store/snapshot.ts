import { backup, DatabaseSync } from "node:sqlite";
import { messageOf, StoreError, StoreInUseError } from "../errors.ts";

/** How long it is waited for another process's lock: two that write one file keep each other waiting up to 2 s. */
const LOCKED_FOR_MS = 10_000;
/** Pages of 4 KiB between two calls of `onProgress`. */
const PAGES_PER_STEP = 2000;

/**
 * Copies a local store into the new file `to`, mode 0600, as it is at one moment, while others may write it: one read
 * transaction holds, for the whole copy, what SQLite's online backup reads (https://www.sqlite.org/backup.html,
 * https://www.sqlite.org/isolation.html). Writers do not wait for it.
 *
 * @param onProgress Called with how much is copied, from 0 to 1.
 * @throws {StoreError} if `from` is not there or no database
 */
export async function snapshotStore(from: string, to: string, onProgress: (part: number) => void): Promise<void> {
  await Deno.stat(from).catch((error) => {
    throw new StoreError(`Cannot copy the store ${from}: ${messageOf(error)}`, { cause: error });
  });
  // SQLite would make it readable for all.
  await Deno.writeFile(to, new Uint8Array(), { createNew: true, mode: 0o600 });
  try {
    using source = new DatabaseSync(from, { readOnly: true, timeout: LOCKED_FOR_MS });
    source.exec("BEGIN");
    // The transaction begins with the first read.
    source.prepare("SELECT count(*) FROM sqlite_schema").get();
    await backup(source, to, {
      rate: PAGES_PER_STEP,
      progress: ({ totalPages, remainingPages }) => onProgress(1 - remainingPages / totalPages),
    });
  } catch (error) {
    throw new StoreError(`Cannot copy the store ${from}: ${messageOf(error)}`, { cause: error });
  }
}

/**
 * Puts all of a local store into its one file, with nothing left beside it, and proves so that no process has it open.
 *
 * @throws {StoreInUseError} if one has
 * @throws {StoreError} if it is no database, or a damaged one
 */
export function settleStore(path: string, lockedForMs: number = LOCKED_FOR_MS): void {
  try {
    using database = new DatabaseSync(path, { timeout: lockedForMs });
    // Leaving WAL mode needs the file for itself; Deno KV goes back to it when it opens the file.
    database.exec("PRAGMA journal_mode = DELETE");
  } catch (error) {
    const reason = messageOf(error);
    if (!reason.includes("locked")) throw new StoreError(`Cannot take the store ${path}: ${reason}`, { cause: error });
    throw new StoreInUseError(`Cannot take the store ${path}: a process has it open, stop the service first`, {
      cause: error,
    });
  }
}
