/**
 * Seals with the present encryption key what was sealed with an old one: `deno task rotate-key`, with `ENCRYPTION_KEY` and
 * `ENCRYPTION_KEYS_OLD` set as for the service, which may be running with the same two. What is cut off goes on where it
 * was: what is sealed with the present key is left alone. What cannot be read stays as it is, and is named.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { openSealer } from "../sealer.ts";
import { actAs } from "../server/access/acting.ts";
import { adminCaller } from "../server/access/caller.ts";
import { createAudit } from "../server/audit/audit.ts";
import { callOf } from "../server/commands.ts";
import { loadConfig } from "../server/config.ts";
import { sealCheck } from "../server/crypto/key.ts";
import { isLocalStore } from "../server/kv_path.ts";
import { auditStore } from "../server/store/audit.ts";
import { connectorConfigStore } from "../server/store/connector_configs.ts";
import { deadLetterStore } from "../server/store/dead_letters.ts";
import { deliveryStore } from "../server/store/deliveries.ts";
import { encryptionCheck } from "../server/store/encryption_check.ts";
import { journalStore } from "../server/store/journal.ts";
import type { LeaveOut } from "../server/store/change.ts";
import { openStore } from "../server/store/open.ts";
import { pollerStateStore } from "../server/store/poller_states.ts";
import { requireSchema } from "../server/store/schema.ts";
import { spoolStore } from "../server/store/spool.ts";
import { counted } from "../server/words.ts";
import { complain, print, runCommand } from "./cli/command.ts";
import { exists } from "./cli/paths.ts";
import { Progress } from "./cli/progress.ts";
import { KeepError } from "./keep/command.ts";

const CALL = callOf("rotate-key");

const HELP = `Seals with ENCRYPTION_KEY everything in the store that a key in ENCRYPTION_KEYS_OLD sealed.

  ${CALL}

The settings are those of the service, which may be running with the same two keys. What is cut off goes on
where it was. Afterwards ENCRYPTION_KEYS_OLD is not needed any more.

  ENCRYPTION_KEY=$NEW ENCRYPTION_KEYS_OLD=$OLD ${CALL}`;

const progress = new Progress();

async function rotate(): Promise<string> {
  const config = loadConfig((name) => Deno.env.get(name));
  const { kvPath } = config;
  if (isLocalStore(kvPath) && !await exists(kvPath)) {
    throw new KeepError(`Cannot replace the key: there is no store at ${kvPath} (KV_PATH)`);
  }
  const kv = await openStore(kvPath);
  try {
    await requireSchema(kv);
    const sealer = await openSealer(config, kv);
    const now = () => new Date();
    const retention = { ageMs: config.deliveryRetentionMs, count: config.deliveryRetentionCount };
    const journalRetention = { ageMs: config.journalRetentionMs, count: config.journalRetentionCount };
    const unreadable: string[] = [];
    const leaveOut: LeaveOut = ({ message }) => unreadable.push(message);
    progress.show("sealing anew: the settings of connectors");
    const settings = await connectorConfigStore(kv, sealer).reseal(leaveOut);
    progress.show("sealing anew: the bodies of deliveries");
    const bodies = await deliveryStore(kv, { sealer, retention, now }).reseal(leaveOut);
    progress.show("sealing anew: the spool");
    const spool = await spoolStore(kv, { sealer, limitBytes: 0, dedupeWindowMs: 0, now }).reseal(leaveOut);
    progress.show("sealing anew: dead letters");
    const letters = await deadLetterStore(kv, { sealer, now }).reseal(leaveOut);
    progress.show("sealing anew: the journal");
    const journal = journalStore(kv, { sealer, retention: journalRetention, dedupeWindowMs: 0, now });
    const parts = await journal.reseal(leaveOut);
    progress.show("sealing anew: the cursors of pollers");
    const cursors = await pollerStateStore(kv, sealer).reseal(leaveOut);
    // Last of all: until then a start without the old key is refused.
    await encryptionCheck(kv).replace(await sealCheck(sealer));
    const audit = createAudit({ audit: auditStore(kv, config.auditRetentionMs), now });
    const subject = "the encryption key";
    await actAs(adminCaller(CALL), () => audit.note({ action: "replaced", workspaceId: null, subject }));
    progress.clear();
    for (const message of unreadable) complain(message);
    const left = counted(unreadable.length, "record", [
      "cannot be read, see above, and stays as it is",
      "cannot be read, see above, and stay as they are",
    ]);
    return [
      `sealed anew: the settings of ${settings} connectors, the bodies of ${bodies} deliveries, ${spool} entries of the ` +
      `spool, ${letters} dead letters, ${parts} parts of the journal, ${cursors} cursors`,
      // A backup names all keys that something in it was sealed with, also what none of them opens.
      ...unreadable.length > 0
        ? [left, "the service does not need ENCRYPTION_KEYS_OLD any more; a backup that has them asks for the old key"]
        : ["ENCRYPTION_KEYS_OLD is not needed any more"],
    ].join("\n");
  } finally {
    progress.clear();
    kv.close();
  }
}

await runCommand({ task: "rotate-key", help: HELP }, async (args) => {
  parseArgs({ args, options: {} });
  print(await rotate());
});
