import { statfs } from "node:fs/promises";
import { callOf } from "../../server/commands.ts";
import type { Config } from "../../server/config.ts";
import { StoreError } from "../../server/errors.ts";
import { folderOf, isLocalStore } from "../../server/kv_path.ts";
import { keys } from "../../server/store/keys.ts";
import { openStore } from "../../server/store/open.ts";
import { knownSchema, readableSchema } from "../../server/store/schema.ts";
import { unlocked } from "../../server/store/unlocked.ts";
import { meaningOf } from "../../server/system_errors.ts";
import { formatBytes } from "../../server/words.ts";
import { exists, tryFolder } from "../cli/paths.ts";
import { type Finding, findingsOf, wordsOf } from "./finding.ts";

/** With less room than this a service soon refuses deliveries. */
const LEAST_FREE_BYTES = 100 * 1024 * 1024;
/** What a full spool takes of the disk, for each byte of SPOOL_MAX_BYTES. */
const SPOOL_OVERHEAD = 1.5;
/** How long another process may keep the lock of a local file; two that write keep each other waiting up to 2 s. */
const LOCKED_FOR_MS = 5000;

const { ok, warning, problem } = findingsOf("store");

/** The store, opened where it can be; to be closed by the caller. */
export interface ExaminedStore {
  readonly kv?: Deno.Kv;
  readonly findings: readonly Finding[];
}

/** Looks at the store: whether it can be opened, read and written, and is of a schema that this program knows. Makes none. */
export async function examineStore(config: Config): Promise<ExaminedStore> {
  const { kvPath } = config;
  if (kvPath === undefined) return { findings: [ok("the platform's own; it can only be looked at there")] };
  const absent = isLocalStore(kvPath) ? await examineAbsence(kvPath) : undefined;
  if (absent !== undefined) return { findings: [absent] };
  const findings = isLocalStore(kvPath) ? [...await examineFiles(kvPath), await examineRoom(config, kvPath)] : [];
  try {
    const kv = await openStore(kvPath, LOCKED_FOR_MS);
    return { kv, findings: [...await examineSchema(kv, kvPath), await examineWriting(kv), ...findings] };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const remedy = `Mend that, set KV_PATH to another store, or restore a backup: ${callOf("restore")}`;
    return { findings: [problem(error.message, remedy), ...findings] };
  }
}

/** Whether a store can be made where there is none yet; `undefined` where there is one. */
async function examineAbsence(kvPath: string): Promise<Finding | undefined> {
  const folder = folderOf(kvPath);
  try {
    if (await exists(kvPath)) return undefined;
    if (await exists(folder)) await tryFolder(folder);
    return ok(`there is none at ${kvPath} yet; the first start makes it`);
  } catch (error) {
    const reason = meaningOf(error) ?? wordsOf(error);
    return problem(`there is none at ${kvPath}, and none can be made: ${reason}`, "Mend that, or set KV_PATH");
  }
}

async function examineSchema(kv: Deno.Kv, kvPath: string): Promise<Finding[]> {
  try {
    const { version } = await readableSchema(kv);
    if (version === knownSchema()) return [ok(`${kvPath}, schema ${version}`)];
    return [warning(
      `it is of schema ${version}, and this program writes ${knownSchema()}: the next start brings it forward`,
      `Back it up before (${callOf("backup")}), and stop every older process`,
    )];
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return [problem(error.message, "Do not start the service on it as it is")];
  }
}

async function examineWriting(kv: Deno.Kv): Promise<Finding> {
  try {
    // Deleting what is never there commits, and changes nothing.
    await unlocked(() => kv.delete(keys.neverThere()));
    return ok("can be written");
  } catch (error) {
    return problem(
      `cannot be written: ${wordsOf(error)}`,
      "See to the permissions of its folder, and that the disk is not full",
    );
  }
}

/** Who else on this machine could read the store, and whether this user is the one it belongs to. */
async function examineFiles(kvPath: string): Promise<Finding[]> {
  const folder = folderOf(kvPath);
  const [{ mode: folderMode }, { mode, uid }] = await Promise.all([Deno.stat(folder), Deno.stat(kvPath)]);
  const findings = [];
  const isOpen = ((folderMode ?? 0) & 0o055) !== 0 && ((mode ?? 0) & 0o044) !== 0;
  if (isOpen) findings.push(warning("other users of this machine can read it", `chmod 700 ${folder}`));
  if (uid !== null && uid !== Deno.uid()) {
    findings.push(warning(
      `it belongs to user ${uid}, and this is user ${Deno.uid()}`,
      "Run the doctor, backup and restore as the user that the service runs as: what they write must be its own",
    ));
  }
  return findings;
}

async function examineRoom({ spoolMaxBytes }: Config, kvPath: string): Promise<Finding> {
  const [{ bavail, bsize }, ...sizes] = await Promise.all([
    statfs(folderOf(kvPath)),
    ...["", "-wal"].map((suffix) => Deno.stat(`${kvPath}${suffix}`).then(({ size }) => size, () => 0)),
  ]);
  const [size, free] = [sizes.reduce((sum, bytes) => sum + bytes, 0), bavail * bsize];
  const detail = `takes ${formatBytes(size)}, and ${formatBytes(free)} of the disk are free`;
  if (free < LEAST_FREE_BYTES) return problem(detail, "Make room: what cannot be stored is refused");
  if (free + size < spoolMaxBytes * SPOOL_OVERHEAD) {
    const most = formatBytes(spoolMaxBytes * SPOOL_OVERHEAD);
    return warning(`${detail}; a full spool takes ${most}`, "Make room, or lower SPOOL_MAX_BYTES");
  }
  return ok(detail);
}
