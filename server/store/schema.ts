import { callOf } from "../commands.ts";
import { getLogger } from "@logtape/logtape";
import { z } from "zod";
import { LeaseLostError, StoreError } from "../errors.ts";
import type { Lease, Leases } from "../poller/deps.ts";
import { INLET_VERSION } from "../version.ts";
import { keys } from "./keys.ts";
import { type Migration, MIGRATIONS } from "./migrations.ts";
import { Records } from "./records.ts";

const log = getLogger(["inlet", "store"]);

const schemaSchema = z.object({
  version: z.int().positive(),
  inlet: z.string(),
});

/** What a store says of its form. */
export interface StoreSchema {
  /** Stores of before there were versions are of version 1. */
  readonly version: number;
  /** The program that brought it there. */
  readonly inlet: string;
}

/** The program whose stores have no version yet. */
const BEFORE_VERSIONS: StoreSchema = { version: 1, inlet: "0.1.0" };

/** Who brings the store up to date renews this at least every few seconds. */
const LEASE = ["schema"];
const LEASE_MS = 30_000;
/** How often a process looks whether another has brought the store up to date. */
const LOOK_EVERY_MS = 250;

/** The schema that this program reads and writes. */
export function knownSchema(migrations: readonly Migration[] = MIGRATIONS): number {
  return 1 + migrations.length;
}

/** The schema that a store has; `undefined` of one that says nothing about it: a new one, or one of before. */
export async function readSchema(kv: Deno.Kv): Promise<StoreSchema | undefined> {
  return (await new Records(kv).get(keys.schema(), schemaSchema))?.value;
}

/**
 * Refuses a store that this program must not work on: to be called before anything else of it is read.
 *
 * @throws {StoreError} if a newer program wrote it, an older one did and it was not brought up to date, or a restore into
 * it was cut off
 */
export async function requireSchema(kv: Deno.Kv, migrations: readonly Migration[] = MIGRATIONS): Promise<void> {
  const { version } = await readableSchema(kv, migrations);
  if (version === knownSchema(migrations)) return;
  throw new StoreError(
    `Cannot use the store: it is of schema ${version}, and this Inlet (${INLET_VERSION}) writes ` +
      `${knownSchema(migrations)}. Start the service once, which brings the store up to date`,
  );
}

/**
 * The schema of a store that this program reads, the present one or an older one.
 *
 * @throws {StoreError} if a newer program wrote it, or a restore into it was cut off
 */
export async function readableSchema(
  kv: Deno.Kv,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<StoreSchema> {
  const stored = await readSchema(kv) ?? BEFORE_VERSIONS;
  if ((await kv.get(keys.restoring())).versionstamp !== null) {
    throw new StoreError(
      "Cannot use the store: a restore into it was cut off, so it is not whole. Run it again, with --replace: " +
        callOf("restore"),
    );
  }
  refuseNewer(stored, "the store", migrations);
  return stored;
}

/**
 * Refuses `what` where it has a schema that this program does not know.
 *
 * @throws {StoreError} that says which program does
 */
export function refuseNewer(
  { version, inlet }: StoreSchema,
  what: "the store" | "the backup",
  migrations: readonly Migration[] = MIGRATIONS,
): void {
  const known = knownSchema(migrations);
  if (version <= known) return;
  throw new StoreError(
    `Cannot use ${what}: it is of schema ${version}, and this Inlet (${INLET_VERSION}) knows ${known}. ` +
      `Run Inlet ${inlet} or newer, or restore a backup of before the upgrade: ${callOf("restore")}`,
  );
}

/** What {@link prepareStore} works with. */
export interface PrepareParts {
  readonly leases: Leases;
  readonly migrations?: readonly Migration[];
  /** Waits until it is time to look again whether another process is done. */
  readonly pause?: () => Promise<unknown>;
}

/**
 * Makes a store ready for this program, before anything else of it is read: a new one gets the present schema, an older
 * one is brought forward, step by step. Of several processes one does, and the others wait. What is cut off goes on at the
 * next start.
 *
 * @throws {StoreError} if the store cannot be used; see {@link requireSchema}
 */
export async function prepareStore(kv: Deno.Kv, parts: PrepareParts): Promise<void> {
  const { leases, migrations = MIGRATIONS, pause = pauseBriefly } = parts;
  for (let waited = false;;) {
    if (await readSchema(kv) === undefined) await begin(kv, migrations);
    const stored = await readableSchema(kv, migrations);
    if (stored.version === knownSchema(migrations)) return;
    const lease = await leases.acquire(LEASE, LEASE_MS);
    if (lease === undefined) {
      if (!waited) log.info("another process brings the store up to date, waiting for it");
      waited = true;
      await pause();
      continue;
    }
    try {
      await migrate(kv, migrations, lease);
    } catch (error) {
      if (!(error instanceof LeaseLostError)) throw error;
      log.warning("another process goes on with bringing the store up to date");
    } finally {
      await lease.release();
    }
  }
}

/** Writes which schema a store has that says nothing about it. Of two processes at once one does. */
async function begin(kv: Deno.Kv, migrations: readonly Migration[]): Promise<void> {
  const isNew = (await kv.list({ prefix: [] }, { limit: 1 }).next()).done;
  const value: StoreSchema = isNew ? present(knownSchema(migrations)) : BEFORE_VERSIONS;
  await new Records(kv).commit([{ key: keys.schema(), value, expected: null }]);
}

function present(version: number): StoreSchema {
  return { version, inlet: INLET_VERSION };
}

/** @throws {LeaseLostError} if another process has taken over */
async function migrate(kv: Deno.Kv, migrations: readonly Migration[], lease: Lease): Promise<void> {
  const records = new Records(kv);
  const goOn = async () => {
    if (!await lease.renew()) throw new LeaseLostError("Cannot go on: another process brings the store up to date");
  };
  for (;;) {
    const stored = await records.get(keys.schema(), schemaSchema);
    const next = stored && migrations[stored.value.version - 1];
    if (stored === undefined || next === undefined) return;
    const to = stored.value.version + 1;
    log.info("bringing the store to schema {to}: {what}", { to, what: next.what });
    await next.run(kv, goOn);
    await goOn();
    // Checked: two that did the same step, one after losing the lease, count it once.
    await records.commit([{ key: keys.schema(), value: present(to), expected: stored.version }]);
    log.info("the store is of schema {to}", { to });
  }
}

async function pauseBriefly(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
}
