import { StoreError } from "../errors.ts";
import { folderOf, isLocalStore } from "../kv_path.ts";
import { isDiskFailure, meaningOf } from "../system_errors.ts";

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
    if (isLocalStore(kvPath)) await makeFolder(folderOf(kvPath));
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
    throw new StoreError(`${store}: ${await reasonOf(error, kvPath)}`, { cause: error });
  }
}

/** @throws {StoreError} if it cannot be made */
async function makeFolder(folder: string): Promise<void> {
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 }).catch((error) => {
    const meaning = meaningOf(error);
    throw meaning === undefined ? error : new Error(`its folder cannot be made: ${meaning}`, { cause: error });
  });
}

/** What it says while another process writes. */
const LOCKED = "database is locked";
/** What it says of a folder, and of a file that this user may not open, or only read. */
const NOT_OPENED = /unable to open database file|readonly database/;

async function reasonOf(error: unknown, kvPath: string | undefined): Promise<string> {
  if (error instanceof Deno.errors.NotCapable) {
    return "Deno does not let the process write there (a path with a comma, or below /proc or /dev, cannot be granted)";
  }
  if (!(error instanceof Error)) return String(error);
  const said = error.message;
  if (NOT_OPENED.test(said) && isLocalStore(kvPath)) return await whyNotOpened(kvPath) ?? said;
  if (said.includes(LOCKED)) return `${said}: another process holds it, stop that one`;
  return isDiskFailure(error) ? `${said}: make room, or look whether the disk fails` : said;
}

/** SQLite does not tell; asking the system for the same file does. */
async function whyNotOpened(path: string): Promise<string | undefined> {
  try {
    using _ = await Deno.open(path, { read: true, write: true, create: true });
    return undefined;
  } catch (error) {
    return meaningOf(error);
  }
}
