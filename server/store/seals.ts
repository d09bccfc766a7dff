import { z } from "zod";
import { keys } from "./keys.ts";
import { Records } from "./records.ts";

/** Each kind of record that holds a sealed value has it as its value or in the field `sealed`, in base64. */
const sealedSchema = z.union([z.string(), z.object({ sealed: z.string() }).transform(({ sealed }) => sealed)]);

/** Characters of base64 that make six bytes: they name the key. */
const HEAD_CHARACTERS = 8;

/** The first six bytes of every sealed value in the store: enough to tell which keys are needed to read it. */
export async function* sealHeads(kv: Deno.Kv): AsyncGenerator<Uint8Array> {
  const records = new Records(kv);
  const check = await records.get(keys.encryptionCheck(), sealedSchema);
  if (check !== undefined) yield headOf(check.value);
  for (const prefix of keys.sealed()) {
    for await (const entry of kv.list({ prefix })) {
      const sealed = await records.read(entry, sealedSchema);
      if (sealed !== undefined) yield headOf(sealed);
    }
  }
}

function headOf(sealed: string): Uint8Array {
  return Uint8Array.fromBase64(sealed.slice(0, HEAD_CHARACTERS));
}
