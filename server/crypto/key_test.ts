import assert from "node:assert/strict";
import { EncryptionKeyError } from "../errors.ts";
import { loadOrCreateKeyFile, opensCheck, parseKey, sealCheck } from "./key.ts";
import { createSealer } from "./seal.ts";

const KEY = new Uint8Array(32).map((_, index) => index * 8 + 7);

Deno.test("parseKey reads hex, base64 and base64url, with white space around", () => {
  const url = KEY.toBase64({ alphabet: "base64url", omitPadding: true });
  for (const text of [KEY.toHex(), KEY.toHex().toUpperCase(), KEY.toBase64(), url, ` ${KEY.toBase64()}\n`]) {
    assert.deepEqual(parseKey(text), KEY, text);
  }
});

Deno.test("parseKey refuses everything else without quoting it", () => {
  for (
    const text of ["", "hunter2", KEY.toHex().slice(2), KEY.toBase64().slice(4), `${KEY.toHex()}00`, "!".repeat(44)]
  ) {
    assert.throws(() => parseKey(text), (error: Error) => {
      assert.ok(error instanceof EncryptionKeyError);
      assert.match(error.message, /openssl rand -base64 32/);
      return text === "" || !error.message.includes(text);
    });
  }
});

async function inFolder(run: (path: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await run(`${folder}/encryption.key`);
    const names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
    assert.deepEqual(names, ["encryption.key"], "no draft is left behind");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("loadOrCreateKeyFile makes a key once, readable by its owner only", () =>
  inFolder(async (path) => {
    const first = await loadOrCreateKeyFile(path);
    assert.equal(first.created, true);
    assert.equal(first.key.length, 32);
    assert.deepEqual(await loadOrCreateKeyFile(path), { key: first.key, created: false });
    assert.equal(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
  }));

Deno.test("loadOrCreateKeyFile gives many at once the same key", () =>
  inFolder(async (path) => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => loadOrCreateKeyFile(path)));
    assert.equal(new Set(keys.map(({ key }) => key.toHex())).size, 1);
    assert.equal(keys.filter(({ created }) => created).length, 1);
  }));

Deno.test("loadOrCreateKeyFile refuses a file that holds no key, and leaves it", () =>
  inFolder(async (path) => {
    await Deno.writeTextFile(path, "oops");
    await assert.rejects(loadOrCreateKeyFile(path), EncryptionKeyError);
    assert.equal(await Deno.readTextFile(path), "oops");
  }));

Deno.test("opensCheck tells the right key from a wrong one", async () => {
  const sealer = await createSealer(KEY);
  const check = await sealCheck(sealer);
  assert.equal(await opensCheck(sealer, check), true);
  assert.equal(await opensCheck(await createSealer(new Uint8Array(32)), check), false);
});
