/**
 * Puts the store of a backup in the place of the service's: `deno task restore`. Nothing is written before the backup has
 * been read whole, its checksum fits, and the encryption key at hand opens what is sealed in it.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { findKeys, keyPathOf } from "../sealer.ts";
import { callOf } from "../server/commands.ts";
import { type Config, loadConfig } from "../server/config.ts";
import { opensCheck } from "../server/crypto/key.ts";
import { createSealer, keyIdOf } from "../server/crypto/seal.ts";
import { StoreInUseError } from "../server/errors.ts";
import { folderOf, isLocalStore } from "../server/kv_path.ts";
import { encryptionCheck } from "../server/store/encryption_check.ts";
import { lifetimeOf } from "../server/store/lifetimes.ts";
import { mirrorStore } from "../server/store/mirror.ts";
import { openStore } from "../server/store/open.ts";
import { readableSchema, refuseNewer } from "../server/store/schema.ts";
import { settleStore } from "../server/store/snapshot.ts";
import { type BackupHeader, extractStore, readHeader, syncFolderOf } from "./keep/backup_file.ts";
import { print, runCommand, UsageError } from "./cli/command.ts";
import { exists, isFolder } from "./cli/paths.ts";
import { Progress } from "./cli/progress.ts";
import { writeFailure } from "./cli/write_failure.ts";
import { KeepError } from "./keep/command.ts";
import { folderBeside, inWorkFolder } from "./keep/work_folder.ts";

const CALL = callOf("restore");

const HELP = `Puts the store of a backup in the place of the service's, which must not be running.

  ${CALL} FILE [--replace]
  ${CALL} FILE --check

  FILE       - reads standard input
  --replace  though there is a store already; a local one is kept beside the new one, under another name
  --check    only say whether the backup is whole and the encryption key opens it

KV_PATH, ENCRYPTION_KEY and the other settings as for the service.`;

const progress = new Progress();

interface Wish {
  readonly file: string;
  readonly replace: boolean;
  readonly checkOnly: boolean;
}

function readWish(args: string[]): Wish {
  const flag = { type: "boolean", default: false } as const;
  const { values, positionals: [file, ...more] } = parseArgs({
    args,
    allowPositionals: true,
    options: { replace: flag, check: flag },
  });
  if (!file || more.length > 0) throw new UsageError("name one backup");
  return { file, replace: values.replace, checkOnly: values.check };
}

/** @throws {KeepError} unless the keys at hand open everything in the store at `draft`, whose backup says `header` */
async function proveKeys(config: Config, draft: string, { keyIds }: BackupHeader): Promise<void> {
  const keys = await findKeys(config);
  const [current, ...old] = keys ?? [];
  if (current === undefined) {
    const file = isLocalStore(config.kvPath) ? `, or put its key file at ${keyPathOf(config.kvPath)}` : "";
    throw new KeepError(`Cannot restore: there is no encryption key. Set ENCRYPTION_KEY to that of the backup${file}`);
  }
  const present = new Set(await Promise.all([current, ...old].map(keyIdOf)));
  const missing = keyIds.filter((id) => !present.has(id));
  if (missing.length > 0) {
    throw new KeepError(
      `Cannot restore: values in the backup are sealed with the key ${missing.join(" and ")}, and there is only ` +
        `${[...present].join(" and ")}. Set ENCRYPTION_KEY, or add it to ENCRYPTION_KEYS_OLD`,
    );
  }
  using kv = await openStore(draft);
  await readableSchema(kv);
  const check = await encryptionCheck(kv).get();
  if (check === undefined || await opensCheck(await createSealer(current, old), check)) return;
  throw new KeepError("Cannot restore: the encryption key does not open what is sealed in the backup");
}

/** Refuses early what would be refused after much work. */
async function refuseOccupied({ kvPath }: Config, replace: boolean): Promise<void> {
  if (kvPath === undefined) {
    throw new KeepError("Cannot restore into the platform's own store by that name: set KV_PATH to its KV Connect URL");
  }
  if (isLocalStore(kvPath) && await isFolder(kvPath)) {
    throw new KeepError(`Cannot restore: ${kvPath} (KV_PATH) is a folder, name a file in it`);
  }
  if (replace || !await isOccupied(kvPath)) return;
  throw new KeepError(
    `Cannot restore: there is a store at ${kvPath} (KV_PATH) already. With --replace the backup takes its place; what ` +
      "came into it since the backup is gone from the service then",
  );
}

async function isOccupied(kvPath: string): Promise<boolean> {
  if (isLocalStore(kvPath)) return await exists(kvPath);
  using kv = await openStore(kvPath);
  return !(await kv.list({ prefix: [] }, { limit: 1 }).next()).done;
}

/** A service that runs holds its store as long as it lives. */
const LOCKED_FOR_MS = 1000;

/** Puts `draft` in the place of a local store, whatever that is by now. Gives where the old one is. */
async function takePlace(draft: string, kvPath: string): Promise<string | undefined> {
  let kept: string | undefined;
  if (await exists(kvPath)) {
    try {
      settleStore(kvPath, LOCKED_FOR_MS);
    } catch (error) {
      // A damaged one is what backups are for.
      if (error instanceof StoreInUseError) throw error;
    }
    kept = `${kvPath}.replaced-${new Date().toISOString().replaceAll(":", "-")}`;
    // A second name, so that there is a store at every moment: a start in between would begin a new one.
    await Deno.link(kvPath, kept);
  }
  // SQLite would take what an earlier store left beside its file for this one's.
  for (const suffix of ["-wal", "-shm"]) {
    if (await exists(`${kvPath}${suffix}`)) {
      await Deno.rename(`${kvPath}${suffix}`, `${kept ?? `${kvPath}.replaced`}${suffix}`);
    }
  }
  await Deno.rename(draft, kvPath);
  await syncFolderOf(kvPath);
  return kept;
}

async function copyInto(draft: string, kvPath: string, config: Config): Promise<void> {
  using from = await openStore(draft);
  using to = await openStore(kvPath);
  await mirrorStore(from, to, {
    lifetimeOf: (key) => lifetimeOf(key, config),
    onCopied: (records) => progress.show(`writing the store: ${records} records`),
  });
}

/** Gives the file to read: what comes on standard input is put into one. */
async function fileOf({ file }: Wish, folder: string): Promise<string> {
  if (file !== "-") return file;
  if (Deno.stdin.isTerminal()) throw new UsageError("no backup is led to standard input");
  progress.show("reading standard input");
  const received = `${folder}/received.backup`;
  using target = await Deno.open(received, { write: true, createNew: true, mode: 0o600 });
  await Deno.stdin.readable.pipeTo(target.writable);
  return received;
}

async function restore(wish: Wish): Promise<string> {
  const config = loadConfig((name) => Deno.env.get(name));
  try {
    if (wish.file !== "-") await readHeader(wish.file);
    if (!wish.checkOnly) {
      await refuseOccupied(config, wish.replace);
      if (isLocalStore(config.kvPath)) await Deno.mkdir(folderOf(config.kvPath), { recursive: true, mode: 0o700 });
    }
    return await inWorkFolder(await folderBeside(config), (folder) => restoreBy(wish, config, folder));
  } catch (error) {
    throw writeFailure(`${config.kvPath} (KV_PATH)`, error);
  } finally {
    progress.clear();
  }
}

async function restoreBy(wish: Wish, config: Config, folder: string): Promise<string> {
  const { kvPath = "" } = config;
  const file = await fileOf(wish, folder);
  const name = wish.file === "-" ? "standard input" : file;
  const header = await readHeader(file, name);
  refuseNewer(header.schema, "the backup");
  const draft = `${folder}/restoring.sqlite3`;
  await extractStore(file, draft, (part) => progress.show(`reading the backup: ${Math.round(part * 100)} %`), name);
  await proveKeys(config, draft, header);
  settleStore(draft);
  const made = `${header.records} records of schema ${header.schema.version}, of ${header.createdAt}`;
  if (wish.checkOnly) return `the backup is whole, and the encryption key opens it: ${made}`;
  let kept: string | undefined;
  if (isLocalStore(kvPath)) kept = await takePlace(draft, kvPath);
  else await copyInto(draft, kvPath, config);
  return `restored ${made}, to ${kvPath}` +
    (kept === undefined ? "" : `\nthe store that was there is ${kept} now: remove it when all is well`);
}

await runCommand({ task: "restore", help: HELP }, async (args) => {
  print(await restore(readWish(args)));
});
