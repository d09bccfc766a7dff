import { StoreError } from "../errors.ts";
import { folderOf, isLocalStore } from "../kv_path.ts";

/** How often, and after how long each time, opening is tried again while another process holds the file's lock. */
const LOCKED_RETRIES = 20;
const LOCKED_WAIT_MS = 100;

/**
 * Opens the Deno KV database: a local file, made with its folder (mode 0700) where there is none, a KV Connect database
 * (`https://`), or the platform's own (`undefined`).
 *
 * @throws {StoreError} if that is not possible, with the reason
 */
export async function openStore(kvPath: string | undefined): Promise<Deno.Kv> {
  try {
    if (isLocalStore(kvPath)) await Deno.mkdir(folderOf(kvPath), { recursive: true, mode: 0o700 });
    for (let attempt = 0;; attempt++) {
      try {
        const kv = await Deno.openKv(kvPath);
        // Only a read tells that the file really is a database of ours.
        await kv.get(["system"]);
        return kv;
      } catch (error) {
        // Two processes that make the same file at the same instant: one finds it locked for a moment.
        if (attempt === LOCKED_RETRIES || !String(error).includes("database is locked")) throw error;
        await new Promise((resolve) => setTimeout(resolve, LOCKED_WAIT_MS));
      }
    }
  } catch (error) {
    const reason = error instanceof Deno.errors.NotCapable
      ? "Deno does not let the process write there (a path with a comma, or below /proc or /dev, cannot be granted)"
      : error instanceof Error
      ? error.message
      : String(error);
    throw new StoreError(`Cannot open the store ${kvPath ?? "of the platform"} (KV_PATH): ${reason}`, { cause: error });
  }
}
