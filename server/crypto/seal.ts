import type { Sealer } from "../deps.ts";
import { EncryptionKeyError, UnknownKeyError } from "../errors.ts";

/** Layout: 1 byte format, 4 bytes key id, 12 bytes IV, then ciphertext with the 16-byte tag. */
const FORMAT = 1;
const KEY_ID_BYTES = 4;
const IV_BYTES = 12;
const HEADER_BYTES = 1 + KEY_ID_BYTES + IV_BYTES;

interface Key {
  readonly id: Uint8Array;
  readonly key: CryptoKey;
}

/**
 * Makes a sealer of 32-byte keys: AES-256-GCM with a random 96-bit IV per value (NIST SP 800-38D), the context as
 * associated data. It seals with `current`, and unseals what was sealed with that or one of `old`. Each sealed value names
 * its key by a short hash, so that another key is told from damage.
 *
 * @throws {EncryptionKeyError} if a key has another length
 */
export async function createSealer(
  current: Uint8Array<ArrayBuffer>,
  old: readonly Uint8Array<ArrayBuffer>[] = [],
): Promise<Sealer> {
  const [sealing, ...others] = [await importKey(current), ...await Promise.all(old.map(importKey))];
  const ring = [sealing, ...others];
  const keyOf = (sealed: Uint8Array) => ring.find(({ id }) => id.every((byte, index) => sealed[1 + index] === byte));

  return {
    async seal(plain, context) {
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
      const box = new Uint8Array(await crypto.subtle.encrypt(parameters(iv, context), sealing.key, plain));
      const sealed = new Uint8Array(HEADER_BYTES + box.length);
      sealed.set([FORMAT]);
      sealed.set(sealing.id, 1);
      sealed.set(iv, 1 + KEY_ID_BYTES);
      sealed.set(box, HEADER_BYTES);
      return sealed;
    },
    async unseal(sealed, context) {
      if (sealed[0] !== FORMAT || sealed.length < HEADER_BYTES) {
        throw new EncryptionKeyError("Cannot unseal: the value is not in a known format");
      }
      const found = keyOf(sealed);
      if (found === undefined) throw new UnknownKeyError("Cannot unseal: the value was sealed with another key");
      const iv = sealed.slice(1 + KEY_ID_BYTES, HEADER_BYTES);
      try {
        const plain = await crypto.subtle.decrypt(parameters(iv, context), found.key, sealed.slice(HEADER_BYTES));
        return new Uint8Array(plain);
      } catch (error) {
        throw new EncryptionKeyError("Cannot unseal: the value was changed, or sealed for another place", {
          cause: error,
        });
      }
    },
    isCurrent: (sealed) => keyOf(sealed) === sealing,
  };
}

async function importKey(bytes: Uint8Array<ArrayBuffer>): Promise<Key> {
  if (bytes.length !== 32) {
    throw new EncryptionKeyError(`Cannot use the encryption key: it has ${bytes.length} bytes, and must have 32`);
  }
  const key = await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
  return { key, id: await idOf(bytes) };
}

/** The id of a key, in hex: what each value that it sealed begins with. It tells nothing of the key. */
export async function keyIdOf(key: Uint8Array<ArrayBuffer>): Promise<string> {
  return (await idOf(key)).toHex();
}

/** The id of the key that sealed a value, of which the first six bytes are enough. */
export function sealingKeyId(sealed: Uint8Array): string {
  return sealed.slice(1, 1 + KEY_ID_BYTES).toHex();
}

async function idOf(key: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", key)).slice(0, KEY_ID_BYTES);
}

function parameters(iv: Uint8Array<ArrayBuffer>, context: string): AesGcmParams {
  return { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(context) };
}
