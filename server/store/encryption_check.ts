import { z } from "zod";
import { keys } from "./keys.ts";
import { Records } from "./records.ts";

/** The sealed known value by which a start tells whether it has the key that the store was written with. */
export interface EncryptionCheck {
  /** `undefined` in a new store. */
  get(): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Stores `sealed` in the place of what there is. */
  replace(sealed: Uint8Array): Promise<void>;
  /** Stores `sealed` unless there is one; `false` if there was. */
  create(sealed: Uint8Array): Promise<boolean>;
}

/** The encryption check in Deno KV. */
export function encryptionCheck(kv: Deno.Kv): EncryptionCheck {
  const records = new Records(kv);
  return {
    async get() {
      const found = await records.get(keys.encryptionCheck(), z.base64());
      return found && Uint8Array.fromBase64(found.value);
    },
    async replace(sealed) {
      await records.commit([{ key: keys.encryptionCheck(), value: sealed.toBase64() }]);
    },
    async create(sealed) {
      const write = { key: keys.encryptionCheck(), value: sealed.toBase64(), expected: null };
      return await records.commit([write]) !== undefined;
    },
  };
}
