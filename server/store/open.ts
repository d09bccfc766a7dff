import { StoreError } from "../errors.ts";
import { folderOf, isLocalStore } from "../kv_path.ts";

/** How long opening is tried again while another process holds the file's lock, and how long it waits each time. */
const LOCKED_FOR_MS = 10_000;
const LOCKED_WAIT_MS = 100;

/**
 * Opens the Deno KV database: a local file, made with its folder (mode 0700) where there is none, a KV Connect database
 * (`https://`), or the platform's own (`undefined`).
 *
 * @param lockedForMs How long it is tried again while another process holds the file's lock.
 * @throws {StoreError} if that is not possible, with the reason
 */
export async function openStore(kvPath: string | undefined, lockedForMs: number = LOCKED_FOR_MS): Promise<Deno.Kv> {
  const giveUpAt = performance.now() + lockedForMs;
  try {
    if (isLocalStore(kvPath)) await Deno.mkdir(folderOf(kvPath), { recursive: true, mode: 0o700 });
    for (;;) {
      try {
        const kv = await Deno.openKv(kvPath);
        // Only a read tells that the file really is a database of ours.
        await kv.get(["system"]);
        return kv;
      } catch (error) {
        // Two processes that make the same file at the same instant: one finds it locked for a moment.
        if (performance.now() >= giveUpAt || !String(error).includes(LOCKED)) throw error;
        await new Promise((resolve) => setTimeout(resolve, LOCKED_WAIT_MS));
      }
    }
  } catch (error) {
    const store = `Cannot open the store ${kvPath ?? "of the platform"} (KV_PATH)`;
    throw new StoreError(`${store}: ${reasonOf(error)}`, { cause: error });
  }
}

/** What it says while another process writes, and when the disk does not take what is written. */
const LOCKED = "database is locked";
const DISK_FAILED = "disk I/O error";

function reasonOf(error: unknown): string {
  if (error instanceof Deno.errors.NotCapable) {
    return "Deno does not let the process write there (a path with a comma, or below /proc or /dev, cannot be granted)";
  }
  const said = error instanceof Error ? error.message : String(error);
  if (said.includes(LOCKED)) return `${said}: another process holds it, stop that one`;
  return said.includes(DISK_FAILED) ? `${said}: the disk is full, or it fails` : said;
}
