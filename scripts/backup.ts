/**
 * Copies the whole store into one file, while the service runs: `deno task backup`. What is sealed in the store stays sealed,
 * and no key is needed.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { callOf } from "../server/commands.ts";
import { type Config, loadConfig } from "../server/config.ts";
import { sealingKeyId } from "../server/crypto/seal.ts";
import { folderOf, isLocalStore } from "../server/kv_path.ts";
import { lifetimeOf } from "../server/store/lifetimes.ts";
import { mirrorStore } from "../server/store/mirror.ts";
import { openStore } from "../server/store/open.ts";
import { readableSchema } from "../server/store/schema.ts";
import { sealHeads } from "../server/store/seals.ts";
import { settleStore, snapshotStore } from "../server/store/snapshot.ts";
import { INLET_VERSION } from "../server/version.ts";
import { formatBytes } from "../server/words.ts";
import { type BackupHeader, refuseExisting, writeBackup } from "./keep/backup_file.ts";
import { complain, print, runCommand, UsageError } from "./cli/command.ts";
import { Progress } from "./cli/progress.ts";
import { writeFailure } from "./cli/write_failure.ts";
import { KeepError } from "./keep/command.ts";
import { folderBeside, inWorkFolder } from "./keep/work_folder.ts";

const CALL = callOf("backup");

const HELP = `Copies the whole store into one new file, while the service runs.

  ${CALL} FILE

  FILE  - writes to standard output, which has to lead elsewhere: ${CALL} - > FILE

KV_PATH and the other settings as for the service. What is sealed in the store stays sealed: keep the encryption
key elsewhere, for without it a backup cannot be restored.`;

/** What messages call a backup that is written there. */
const OUTPUT = "standard output";

const progress = new Progress();

/** Makes the store that a backup holds, as it is at one moment, in the new file `draft`. */
async function takeSnapshot(config: Config, draft: string): Promise<void> {
  const { kvPath } = config;
  if (kvPath === undefined) {
    throw new KeepError("Cannot back up the platform's own store by that name: set KV_PATH to its KV Connect URL");
  }
  if (isLocalStore(kvPath)) {
    return await snapshotStore(kvPath, draft, (part) => progress.show(`copying the store: ${percent(part)}`));
  }
  await Deno.writeFile(draft, new Uint8Array(), { createNew: true, mode: 0o600 });
  using from = await openStore(kvPath);
  await readableSchema(from);
  using to = await openStore(draft);
  await mirrorStore(from, to, {
    lifetimeOf: (key) => lifetimeOf(key, config),
    onCopied: (records) => progress.show(`copying the store: ${records} records`),
  });
}

/** Looks through a copy of the store for what a backup says of itself. */
async function describe(draft: string): Promise<Pick<BackupHeader, "schema" | "keyIds" | "records">> {
  using kv = await openStore(draft);
  const schema = await readableSchema(kv);
  let records = 0;
  for await (const _ of kv.list({ prefix: [] })) records++;
  const keyIds = new Set<string>();
  for await (const head of sealHeads(kv)) keyIds.add(sealingKeyId(head));
  return { schema, keyIds: [...keyIds], records };
}

/** Makes a backup in a file of its own, and gives it out: only a whole one is. */
async function backUpToOutput(config: Config): Promise<string> {
  if (Deno.stdout.isTerminal()) throw new UsageError("a backup is nothing to look at, lead it into a file");
  return await inWorkFolder(await folderBeside(config), async (folder) => {
    const said = await backUp(config, folder, { file: `${folder}/backup`, shown: OUTPUT });
    using file = await Deno.open(`${folder}/backup`);
    await file.readable.pipeTo(Deno.stdout.writable, { preventClose: true });
    return said;
  });
}

async function backUpToFile(config: Config, file: string): Promise<string> {
  await refuseExisting(file);
  return await inWorkFolder(folderOf(file), (folder) => backUp(config, folder, { file, shown: file }));
}

/** @param folder For what is in the making; on the disk of `file`. */
async function backUp(
  config: Config,
  folder: string,
  { file, shown }: { readonly file: string; readonly shown: string },
): Promise<string> {
  const draft = `${folder}/store`;
  const createdAt = new Date().toISOString();
  await takeSnapshot(config, draft);
  progress.show("looking through the copy");
  const about = await describe(draft);
  settleStore(draft);
  progress.show("writing the backup");
  const { records, keyIds, schema } = await writeBackup(draft, file, { createdAt, inlet: INLET_VERSION, ...about });
  const { size } = await Deno.stat(file);
  return `backed up ${records} records of schema ${schema.version} to ${shown}, ${formatBytes(size)}\n` +
    `to restore it you need the encryption key ${
      keyIds.join(" and ") || "that the service will make"
    }, which is not in it`;
}

function percent(part: number): string {
  return `${Math.round(part * 100)} %`;
}

await runCommand({ task: "backup", help: HELP }, async (args) => {
  const { positionals: [file, ...more] } = parseArgs({ args, allowPositionals: true, options: {} });
  if (!file || more.length > 0) throw new UsageError("name one file to write");
  const config = loadConfig((name) => Deno.env.get(name));
  const said = await (file === "-" ? backUpToOutput(config) : backUpToFile(config, file)).catch((error) => {
    throw writeFailure(file === "-" ? OUTPUT : file, error);
  }).finally(() => progress.clear());
  // What is said must not get into the backup.
  if (file === "-") complain(said);
  else print(said);
});
