import { findKeys, keyPathOf } from "../../sealer.ts";
import { callOf } from "../../server/commands.ts";
import type { Config } from "../../server/config.ts";
import { opensCheck } from "../../server/crypto/key.ts";
import { createSealer, keyIdOf, sealingKeyId } from "../../server/crypto/seal.ts";
import { EncryptionKeyError } from "../../server/errors.ts";
import { isLocalStore } from "../../server/kv_path.ts";
import { encryptionCheck } from "../../server/store/encryption_check.ts";
import { sealHeads } from "../../server/store/seals.ts";
import { counted } from "../../server/words.ts";
import { type Finding, findingsOf } from "./finding.ts";

const { ok, warning, problem } = findingsOf("key");

/** Whether the encryption key at hand opens what is sealed in the store; `kv` is absent where there is no store yet. */
export async function examineKey(config: Config, kv: Deno.Kv | undefined): Promise<Finding[]> {
  try {
    const keys = await findKeys(config);
    const findings = await examineKeyFile(config);
    const [current, ...old] = keys ?? [];
    const check = kv && await encryptionCheck(kv).get();
    if (kv === undefined || check === undefined) {
      if (current !== undefined) return [ok("there is one, and nothing is sealed with it yet"), ...findings];
      if (isLocalStore(config.kvPath)) return [ok(`the first start makes one, ${keyPathOf(config.kvPath)}`)];
      return [problem("there is none, and no folder to keep one in", "Set ENCRYPTION_KEY: openssl rand -base64 32")];
    }
    if (current === undefined) {
      return [problem("there is none, and the store was written with one", "Restore it: ENCRYPTION_KEY, or its file")];
    }
    if (!await opensCheck(await createSealer(current, old), check)) {
      const remedy = "Set ENCRYPTION_KEY to the store's own, or add that to ENCRYPTION_KEYS_OLD to replace it";
      return [
        problem(`it is not the one that the store was written with, ${sealingKeyId(check)}`, remedy),
        ...findings,
      ];
    }
    return [...await examineSeals(kv, current, old), ...findings];
  } catch (error) {
    if (!(error instanceof EncryptionKeyError)) throw error;
    return [problem(error.message, "Set ENCRYPTION_KEY to the store's own key")];
  }
}

/** Which keys are needed to read all that is in the store. */
async function examineSeals(
  kv: Deno.Kv,
  current: Uint8Array<ArrayBuffer>,
  old: readonly Uint8Array<ArrayBuffer>[],
): Promise<Finding[]> {
  const counts = new Map<string, number>();
  for await (const head of sealHeads(kv)) {
    const id = sealingKeyId(head);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const currentId = await keyIdOf(current);
  const oldIds = await Promise.all(old.map(keyIdOf));
  const findings = [
    ok(`${currentId} sealed ${counted(counts.get(currentId) ?? 0, "value")} of the store, and opens what it sealed`),
  ];
  for (const [id, count] of counts) {
    if (id === currentId) continue;
    findings.push(
      oldIds.includes(id)
        ? warning(`${counted(count, "value", ["is", "are"])} still sealed with the old key ${id}`, callOf("rotate-key"))
        : problem(
          `${counted(count, "value", ["is", "are"])} sealed with the key ${id}, which is not there`,
          "Add it to ENCRYPTION_KEYS_OLD",
        ),
    );
  }
  if (oldIds.some((id) => !counts.has(id))) {
    findings.push(warning("a key in ENCRYPTION_KEYS_OLD is not needed any more", "Remove it there"));
  }
  return findings;
}

async function examineKeyFile({ encryptionKey, kvPath }: Config): Promise<Finding[]> {
  if (encryptionKey !== undefined || !isLocalStore(kvPath)) return [];
  const path = keyPathOf(kvPath);
  const mode = await Deno.stat(path).then(({ mode }) => mode ?? 0, () => 0);
  if ((mode & 0o077) === 0) return [];
  return [problem(`other users of this machine can read ${path}`, `chmod 600 ${path}`)];
}
