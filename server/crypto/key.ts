import type { Sealer } from "../deps.ts";
import { EncryptionKeyError, messageOf } from "../errors.ts";

const KEY_BYTES = 32;

/**
 * Reads a key as operators write it: 32 bytes as 64 hex digits, or in base64 or base64url.
 *
 * @throws {EncryptionKeyError} if it is neither; the message does not quote it
 */
export function parseKey(text: string): Uint8Array<ArrayBuffer> {
  const compact = text.trim();
  const key = /^[0-9a-f]{64}$/i.test(compact) ? Uint8Array.fromHex(compact) : decodeBase64(compact);
  if (key?.length === KEY_BYTES) return key;
  throw new EncryptionKeyError(
    "Cannot use the encryption key: it is not 32 bytes in base64 or hex. Make one with: openssl rand -base64 32",
  );
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.fromBase64(text, { alphabet: /[-_]/.test(text) ? "base64url" : "base64" });
  } catch {
    return undefined;
  }
}

/** A key from a file, and whether it was made just now. */
export interface FileKey {
  readonly key: Uint8Array<ArrayBuffer>;
  readonly created: boolean;
}

/**
 * Reads the key in the file `path`; where there is none, makes one and writes it there, mode 0600. Of several processes
 * that do so at once, one makes it and all get the same.
 *
 * @throws {EncryptionKeyError} if the file does not hold a key
 */
export async function loadOrCreateKeyFile(path: string): Promise<FileKey> {
  const key = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  // Linking a complete file into place: nobody ever reads a key that is half written, not even after a crash.
  const draft = `${path}.${crypto.randomUUID()}`;
  try {
    const existing = await readKeyFile(path);
    if (existing !== undefined) return { key: existing, created: false };
    await Deno.writeTextFile(draft, key.toBase64() + "\n", { mode: 0o600, createNew: true });
    await Deno.link(draft, path);
    return { key, created: true };
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    return await loadOrCreateKeyFile(path);
  } finally {
    await Deno.remove(draft).catch(() => {});
  }
}

async function readKeyFile(path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return parseKey(await Deno.readTextFile(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    if (error instanceof EncryptionKeyError) {
      throw new EncryptionKeyError(`Cannot use the key file ${path}: it does not hold 32 bytes in base64 or hex`);
    }
    const reason = messageOf(error);
    throw new EncryptionKeyError(`Cannot read the key file ${path}: ${reason}`, { cause: error });
  }
}

const CHECK_CONTEXT = "encryption-check";

/**
 * Makes a sealed known value, to be stored when a store is new and given to {@link opensCheck} at each start.
 */
export async function sealCheck(sealer: Sealer): Promise<Uint8Array<ArrayBuffer>> {
  return await sealer.seal(new TextEncoder().encode("inlet"), CHECK_CONTEXT);
}

/** Whether `sealer` has the key that `check` was sealed with. */
export async function opensCheck(sealer: Sealer, check: Uint8Array<ArrayBuffer>): Promise<boolean> {
  return await sealer.unseal(check, CHECK_CONTEXT).then(() => true, () => false);
}
