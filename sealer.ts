/**
 * Opens what secrets are sealed with: part of the composition root, beside main.ts.
 *
 * @module
 */
import { getLogger } from "@logtape/logtape";
import { callOf } from "./server/commands.ts";
import type { Config } from "./server/config.ts";
import { loadOrCreateKeyFile, opensCheck, parseKey, sealCheck } from "./server/crypto/key.ts";
import { createSealer } from "./server/crypto/seal.ts";
import type { Sealer } from "./server/deps.ts";
import { EncryptionKeyError } from "./server/errors.ts";
import { folderOf, isLocalStore } from "./server/kv_path.ts";
import { encryptionCheck } from "./server/store/encryption_check.ts";

const log = getLogger(["inlet"]);

/**
 * Opens the sealer with the operator's key or the one beside the store, and the old ones that are being replaced, and
 * proves that the store was written with one of them.
 *
 * @throws {EncryptionKeyError} if there is no key, or it is not the store's
 */
export async function openSealer(config: Config, kv: Deno.Kv): Promise<Sealer> {
  const check = encryptionCheck(kv);
  const existing = await check.get();
  const sealer = await createSealer(
    await findKey(config, existing !== undefined),
    config.encryptionKeysOld.map(parseKey),
  );
  if (existing === undefined && await check.create(await sealCheck(sealer))) return sealer;
  const stored = existing ?? await check.get();
  if (stored !== undefined && await opensCheck(sealer, stored)) return sealer;
  throw new EncryptionKeyError(
    `Cannot start: the encryption key is not the one that the store was written with. Restore that key (${
      config.encryptionKey === undefined ? keyPathOf(config.kvPath) : "ENCRYPTION_KEY"
    }), name it in ENCRYPTION_KEYS_OLD to replace it, or set KV_PATH to begin a new store`,
  );
}

/**
 * Proves again, while the service runs, that the store can be read and written with its keys: they may have been replaced by
 * the command `rotate-key` meanwhile.
 *
 * @throws {EncryptionKeyError} if they have, and `sealer` has not the new one
 */
export async function requireStoreKey(sealer: Sealer, kv: Deno.Kv): Promise<void> {
  const stored = await encryptionCheck(kv).get();
  if (stored === undefined || await opensCheck(sealer, stored)) return;
  throw new EncryptionKeyError(
    "Cannot use the store: its encryption key was replaced, and this process seals with the old one. Restart it with the " +
      `new one in ENCRYPTION_KEY and the old one in ENCRYPTION_KEYS_OLD, then run ${callOf("rotate-key")} again`,
  );
}

/**
 * The keys there are, the present one first: those of the environment, or the one beside the store. Makes none;
 * `undefined` if there is none.
 *
 * @throws {EncryptionKeyError} if one is not usable
 */
export async function findKeys(config: Config): Promise<Uint8Array<ArrayBuffer>[] | undefined> {
  const key = await presentKey(config);
  return key && [key, ...config.encryptionKeysOld.map(parseKey)];
}

async function presentKey({ encryptionKey, kvPath }: Config): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (encryptionKey !== undefined) return parseKey(encryptionKey);
  if (!isLocalStore(kvPath) || !await exists(keyPathOf(kvPath))) return undefined;
  return (await loadOrCreateKeyFile(keyPathOf(kvPath))).key;
}

async function findKey(config: Config, storeIsWritten: boolean): Promise<Uint8Array<ArrayBuffer>> {
  const present = await presentKey(config);
  if (present !== undefined) return present;
  if (!isLocalStore(config.kvPath)) {
    throw new EncryptionKeyError(
      "Cannot start: ENCRYPTION_KEY is not set, and there is no folder to keep a key in beside this store",
    );
  }
  const path = keyPathOf(config.kvPath);
  if (storeIsWritten) {
    throw new EncryptionKeyError(
      `Cannot start: the store was written with a key, and neither ENCRYPTION_KEY is set nor is there a file ${path}. ` +
        "Restore it, or set KV_PATH to begin a new store",
    );
  }
  const { key, created } = await loadOrCreateKeyFile(path);
  if (created) log.warning("made an encryption key in {path}: back it up, without it no secret can be read", { path });
  return key;
}

/** Where the key is kept of a local store, where `ENCRYPTION_KEY` does not give it. */
export function keyPathOf(kvPath = ""): string {
  return `${folderOf(kvPath)}/encryption.key`;
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, (error) => {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  });
}
