/**
 * The form of a backup: one line of JSON that says what it is, the store as a Deno KV file, and the SHA-256 of both.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { folderOf } from "../../server/kv_path.ts";
import { meaningOf } from "../../server/system_errors.ts";
import { formatBytes } from "../../server/words.ts";
import { exists, isFolder } from "../cli/paths.ts";
import { KeepError } from "./command.ts";

/** Counts up when a program that reads this form could not read the next. */
const FORM = 1;
const CHECKSUM_BYTES = 32;
/** The header is far shorter. */
const MOST_HEADER_BYTES = 64 * 1024;
const PIECE_BYTES = 1024 * 1024;

const headerSchema = z.object({
  format: z.literal("inlet-backup"),
  form: z.int().positive(),
  /** When it was begun. */
  createdAt: z.iso.datetime(),
  /** The program that made it. */
  inlet: z.string(),
  schema: z.object({ version: z.int().positive(), inlet: z.string() }),
  /** Ids of the encryption keys that its values are sealed with. */
  keyIds: z.array(z.string()),
  records: z.int().nonnegative(),
  /** How long the store's file is. */
  bytes: z.int().nonnegative(),
});

/** What a backup says of itself. */
export type BackupHeader = z.output<typeof headerSchema>;

/**
 * Writes a backup of the store's file at `snapshot` to the new file `to`, mode 0600. It is made beside `snapshot`, on the same
 * disk, and has its name only when it is whole and written there.
 *
 * @throws {KeepError} if there is something at `to`
 */
export async function writeBackup(
  snapshot: string,
  to: string,
  about: Omit<BackupHeader, "format" | "form" | "bytes">,
): Promise<BackupHeader> {
  const { size: bytes } = await Deno.stat(snapshot);
  const header: BackupHeader = { format: "inlet-backup", form: FORM, ...about, bytes };
  const draft = `${snapshot}.backup`;
  try {
    {
      using source = await Deno.open(snapshot);
      using target = await Deno.open(draft, { write: true, createNew: true, mode: 0o600 });
      const hash = createHash("sha256");
      const write = async (piece: Uint8Array) => {
        hash.update(piece);
        await writeAll(target, piece);
      };
      await write(new TextEncoder().encode(`${JSON.stringify(header)}\n`));
      for await (const piece of pieces(source, bytes)) await write(piece);
      await writeAll(target, hash.digest());
      await target.sync();
    }
    await refuseExisting(to);
    await Deno.rename(draft, to);
    await syncFolderOf(to);
    return header;
  } finally {
    await Deno.remove(draft).catch(() => {});
  }
}

/** @throws {KeepError} if there is a file or folder at `path`, or no folder for it */
export async function refuseExisting(path: string): Promise<void> {
  if (!await exists(folderOf(path))) {
    throw new KeepError(`Cannot write ${path}: there is no folder ${folderOf(path)}, make it first`);
  }
  if (!await exists(path)) return;
  throw new KeepError(
    await isFolder(path)
      ? `Cannot write ${path}: it is a folder, name a new file in it`
      : `Cannot write ${path}: it is there already, and no backup is written over another file`,
  );
}

/** Makes what was renamed in a file's folder last through a power cut. */
export async function syncFolderOf(path: string): Promise<void> {
  using opened = await Deno.open(folderOf(path));
  await opened.sync();
}

/**
 * Reads what a backup says of itself.
 *
 * @param name What messages call it.
 * @throws {KeepError} if it is no backup, or was written in a later form
 */
export async function readHeader(path: string, name: string = path): Promise<BackupHeader> {
  return (await open(path, name)).header;
}

/** Reads the header, and tells where the store's file begins. */
async function open(path: string, name: string): Promise<{ header: BackupHeader; line: Uint8Array }> {
  using file = await Deno.open(path).catch((error) => {
    if (error instanceof Deno.errors.NotCapable) throw error;
    throw new KeepError(`Cannot read ${name}: ${meaningOf(error) ?? error.message}`, { cause: error });
  });
  const { size, isDirectory } = await file.stat();
  if (isDirectory) throw new KeepError(`Cannot read ${name}: it is a folder, name the backup in it`);
  const start = new Uint8Array(Math.min(size, MOST_HEADER_BYTES));
  let read = 0;
  for (let count; read < start.length && (count = await file.read(start.subarray(read)));) read += count;
  const end = start.indexOf("\n".charCodeAt(0));
  const line = start.slice(0, end + 1);
  const header = headerSchema.safeParse(parseJson(new TextDecoder().decode(line)));
  if (!header.success) {
    throw new KeepError(`Cannot read ${name}: it is no backup of Inlet, or its beginning is damaged`);
  }
  if (header.data.form > FORM) {
    throw new KeepError(
      `Cannot read ${name}: Inlet ${header.data.inlet} made it in a later form; restore it with that`,
    );
  }
  const whole = line.length + header.data.bytes + CHECKSUM_BYTES;
  if (size !== whole) {
    throw new KeepError(
      `Cannot use ${name}: it is not whole, ${formatBytes(size)} (${size}) of ${whole} bytes are there. Copy it again`,
    );
  }
  return { header: header.data, line };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Writes the store's file that is in a backup to the new file `to`, mode 0600, and checks the whole backup meanwhile.
 *
 * @param onProgress Called with how much is written, from 0 to 1.
 * @param name What messages call it.
 * @throws {KeepError} if the backup is damaged; there is no file then
 */
export async function extractStore(
  path: string,
  to: string,
  onProgress: (part: number) => void,
  name: string = path,
): Promise<void> {
  const { header, line } = await open(path, name);
  using source = await Deno.open(path);
  await source.seek(line.length, Deno.SeekMode.Start);
  const hash = createHash("sha256").update(line);
  let written = 0;
  {
    using target = await Deno.open(to, { write: true, createNew: true, mode: 0o600 });
    for await (const piece of pieces(source, header.bytes)) {
      hash.update(piece);
      await writeAll(target, piece);
      written += piece.length;
      onProgress(written / header.bytes);
    }
    await target.sync();
  }
  const stored = new Uint8Array(CHECKSUM_BYTES);
  for await (const piece of pieces(source, CHECKSUM_BYTES)) stored.set(piece);
  if (hash.digest("hex") === stored.toHex()) return;
  await Deno.remove(to);
  throw new KeepError(`Cannot use ${name}: it is damaged, its checksum does not fit what is in it. Take another copy`);
}

/** The next `bytes` of a file, piece by piece. */
async function* pieces(file: Deno.FsFile, bytes: number): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(PIECE_BYTES);
  for (let left = bytes; left > 0;) {
    const count = await file.read(buffer.subarray(0, Math.min(left, buffer.length)));
    if (count === null) throw new KeepError("Cannot go on: a file became shorter while it was read");
    yield buffer.subarray(0, count);
    left -= count;
  }
}

async function writeAll(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length;) written += await file.write(bytes.subarray(written));
}
