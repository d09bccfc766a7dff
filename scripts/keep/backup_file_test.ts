import assert from "node:assert/strict";
import { extractStore, readHeader, writeBackup } from "./backup_file.ts";
import { KeepError } from "./command.ts";

const ABOUT = {
  createdAt: "2026-03-02T12:00:00.000Z",
  inlet: "0.1.0",
  schema: { version: 1, inlet: "0.1.0" },
  keyIds: ["0a1b2c3d"],
  records: 3,
};

async function withBackup(run: (folder: string, bytes: Uint8Array<ArrayBuffer>) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeFile(`${folder}/store`, new Uint8Array(1_200_000).map((_, index) => index * 7));
    await writeBackup(`${folder}/store`, `${folder}/backup`, ABOUT);
    await run(folder, await Deno.readFile(`${folder}/backup`));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("extractStore gives back what writeBackup wrote, both readable by their owner only", () =>
  withBackup(async (folder) => {
    assert.deepEqual(await readHeader(`${folder}/backup`), {
      format: "inlet-backup",
      form: 1,
      ...ABOUT,
      bytes: 1_200_000,
    });
    const parts: number[] = [];
    await extractStore(`${folder}/backup`, `${folder}/out`, (part) => parts.push(part));
    assert.deepEqual(await Deno.readFile(`${folder}/out`), await Deno.readFile(`${folder}/store`));
    assert.equal(parts.at(-1), 1);
    for (const name of ["backup", "out"]) {
      assert.equal(((await Deno.stat(`${folder}/${name}`)).mode ?? 0) & 0o777, 0o600);
    }
  }));

Deno.test("writeBackup writes over nothing, and leaves no draft", () =>
  withBackup(async (folder, bytes) => {
    await assert.rejects(writeBackup(`${folder}/store`, `${folder}/backup`, ABOUT), /it is there already/);
    await assert.rejects(writeBackup(`${folder}/store`, `${folder}/none/backup`, ABOUT));
    assert.deepEqual(await Deno.readFile(`${folder}/backup`), bytes);
    const names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
    assert.deepEqual(names.sort(), ["backup", "store"]);
  }));

Deno.test("a backup that is not what was written is refused, wherever it was changed, and gives no store", () =>
  withBackup(async (folder, bytes) => {
    const header = bytes.indexOf(10) + 1;
    const flipped = (at: number) => bytes.with(at, (bytes[at] ?? 0) ^ 1);
    const withHeader = (from: string, to: string) => {
      const line = new TextDecoder().decode(bytes.subarray(0, header)).replace(from, to);
      return new Uint8Array([...new TextEncoder().encode(line), ...bytes.subarray(header)]);
    };
    const cases: readonly (readonly [Uint8Array, RegExp])[] = [
      [new Uint8Array(), /is no backup of Inlet/],
      [new TextEncoder().encode('{"format":"other"}\n'), /is no backup of Inlet/],
      [bytes.subarray(0, 20), /is no backup of Inlet/],
      [bytes.subarray(0, -1), /is not whole, .* Copy it again/],
      [bytes.subarray(0, header), /is not whole/],
      [new Uint8Array([...bytes, 0]), /is not whole/],
      [flipped(header), /its checksum does not fit/],
      [flipped(1_150_000), /its checksum does not fit/],
      [flipped(bytes.length - 1), /its checksum does not fit/],
      [withHeader('"records":3', '"records":4'), /its checksum does not fit/],
      [withHeader("0a1b2c3d", "0a1b2c3e"), /its checksum does not fit/],
      [withHeader('"form":1', '"form":2'), /Inlet 0\.1\.0 made it in a later form/],
    ];
    for (const [content, expected] of cases) {
      await Deno.writeFile(`${folder}/changed`, content);
      await assert.rejects(extractStore(`${folder}/changed`, `${folder}/out`, () => {}), (error: Error) => {
        assert.ok(error instanceof KeepError);
        assert.match(error.message, expected);
        return true;
      });
    }
    await assert.rejects(readHeader(`${folder}/none`), /^KeepError: Cannot read .*none: /);
    const names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
    assert.deepEqual(names.sort(), ["backup", "changed", "store"]);
  }));
