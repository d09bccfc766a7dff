import assert from "node:assert/strict";
import { createSealer, keyIdOf, sealingKeyId } from "../crypto/seal.ts";
import { sealCheck } from "../crypto/key.ts";
import { encryptionCheck } from "./encryption_check.ts";
import { keys } from "./keys.ts";
import { Records } from "./records.ts";
import { sealHeads } from "./seals.ts";

Deno.test("sealHeads finds every sealed value, small or large, whatever record it is in", async () => {
  using kv = await Deno.openKv(":memory:");
  const records = new Records(kv);
  const ids: string[] = [];
  const sealedWith = async (fill: number, bytes = 10) => {
    const key = new Uint8Array(32).fill(fill);
    ids.push(await keyIdOf(key));
    return (await (await createSealer(key)).seal(new Uint8Array(bytes), "here")).toBase64();
  };
  await encryptionCheck(kv).create(await sealCheck(await createSealer(new Uint8Array(32).fill(1))));
  ids.push(await keyIdOf(new Uint8Array(32).fill(1)));
  const values: readonly (readonly [Deno.KvKey, unknown])[] = [
    [keys.connectorConfig("w", "github"), { enabled: true, sealed: await sealedWith(2) }],
    [keys.deliveryBody("w", "d"), await sealedWith(3, 200_000)],
    [keys.spoolEntry("w", 1), { events: 1, bytes: 1, sealed: await sealedWith(4) }],
    [keys.deadLetter("w", "l"), { id: "l", sealed: await sealedWith(5) }],
    [keys.journal("w", "p", 1), { ids: ["e"], sealed: await sealedWith(6) }],
    [keys.pollerState("w", "calendar"), { sealed: await sealedWith(7) }],
    [keys.outcome("w", "github"), "not sealed"],
  ];
  for (const [key, value] of values) await records.commit([{ key, value, expected: null }]);
  const found = await Array.fromAsync(sealHeads(kv), sealingKeyId);
  assert.deepEqual(found.sort(), ids.sort());
});
