import assert from "node:assert/strict";
import { EncryptionKeyError } from "../errors.ts";
import { createSealer, keyIdOf, sealingKeyId } from "./seal.ts";

const sealer = await createSealer(new Uint8Array(32).fill(1));
const other = await createSealer(new Uint8Array(32).fill(2));
const plain = new TextEncoder().encode("a secret");

Deno.test("unseal gives back what was sealed", async () => {
  for (const bytes of [plain, new Uint8Array(), crypto.getRandomValues(new Uint8Array(50_000))]) {
    assert.deepEqual(await sealer.unseal(await sealer.seal(bytes, "here"), "here"), bytes);
  }
});

Deno.test("seal never gives the same bytes twice", async () => {
  const sealed = await Promise.all(Array.from({ length: 50 }, () => sealer.seal(plain, "here")));
  assert.equal(new Set(sealed.map((bytes) => bytes.toHex())).size, 50);
});

Deno.test("unseal refuses another context, another key and every changed byte", async () => {
  const sealed = await sealer.seal(plain, "here");
  await assert.rejects(sealer.unseal(sealed, "there"), EncryptionKeyError);
  await assert.rejects(other.unseal(sealed, "here"), /another key/);
  for (let index = 0; index < sealed.length; index++) {
    const changed = sealed.with(index, (sealed[index] ?? 0) ^ 1);
    await assert.rejects(sealer.unseal(new Uint8Array(changed), "here"), EncryptionKeyError);
  }
  for (const length of [0, 1, 16, 17, sealed.length - 1]) {
    await assert.rejects(sealer.unseal(sealed.slice(0, length), "here"), EncryptionKeyError);
  }
});

Deno.test("createSealer refuses a key of another length", async () => {
  for (const length of [0, 16, 31, 33]) {
    await assert.rejects(createSealer(new Uint8Array(length)), EncryptionKeyError);
  }
});

Deno.test("a sealer reads what its old keys sealed, seals with the present one, and tells them apart", async () => {
  const [present, old] = [new Uint8Array(32).fill(3), new Uint8Array(32).fill(1)];
  const ring = await createSealer(present, [new Uint8Array(32).fill(9), old]);
  const before = await sealer.seal(plain, "here");
  const after = await ring.seal(plain, "here");
  assert.deepEqual(await ring.unseal(before, "here"), plain);
  assert.deepEqual([ring.isCurrent(before), ring.isCurrent(after)], [false, true]);
  assert.deepEqual(await (await createSealer(present)).unseal(after, "here"), plain);
  await assert.rejects((await createSealer(present)).unseal(before, "here"), /another key/);
  await assert.rejects(ring.unseal(before, "there"), /sealed for another place/);
});

Deno.test("sealingKeyId tells which key sealed a value by its first six bytes", async () => {
  const sealed = await sealer.seal(plain, "here");
  assert.equal(sealingKeyId(sealed.slice(0, 6)), await keyIdOf(new Uint8Array(32).fill(1)));
  assert.notEqual(sealingKeyId(await other.seal(plain, "here")), sealingKeyId(sealed));
});
