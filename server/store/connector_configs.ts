import { getLogger } from "@logtape/logtape";
import { z } from "zod";
import type { ConnectorConfig, ConnectorConfigStore, Sealer, Versioned } from "../deps.ts";
import { isUnreadable, UnreadableSettingsError } from "../errors.ts";
import { keys } from "./keys.ts";
import { Records, type Write } from "./records.ts";
import { type Resealing, resealRecords } from "./sealed.ts";
import { timeSchema } from "./time.ts";

const log = getLogger(["inlet", "store"]);

const settingsSchema = z.record(z.string(), z.unknown());
const storedSchema = z.object({
  workspaceId: z.uuid(),
  connectorId: z.string(),
  enabled: z.boolean(),
  config: settingsSchema,
  /** Base64 of the sealed {@link confidentialSchema}. */
  sealed: z.base64(),
});
type Stored = z.output<typeof storedSchema>;
// What an older version stored has nothing that retires.
const confidentialSchema = z.object({
  secrets: settingsSchema,
  webhookToken: z.string().min(1),
  retiring: z.object({ secrets: settingsSchema, until: timeSchema }).nullable().default(null),
  retiringToken: z.object({ token: z.string().min(1), until: timeSchema }).nullable().default(null),
});

/** The connector configs in Deno KV. Secrets and webhook tokens are sealed, bound to workspace and connector. */
export function connectorConfigStore(kv: Deno.Kv, sealer: Sealer): ConnectorConfigStore & Resealing {
  const records = new Records(kv);

  async function seal({ workspaceId, connectorId, enabled, config, ...confidential }: ConnectorConfig) {
    const plain = new TextEncoder().encode(JSON.stringify(confidential));
    const sealed = await sealer.seal(plain, contextOf(workspaceId, connectorId));
    return { workspaceId, connectorId, enabled, config, sealed: sealed.toBase64() } satisfies Stored;
  }

  async function unseal({ value, version }: Versioned<Stored>): Promise<Versioned<ConnectorConfig>> {
    const { sealed, ...open } = value;
    const plain = await sealer.unseal(Uint8Array.fromBase64(sealed), contextOf(open.workspaceId, open.connectorId));
    const confidential = confidentialSchema.parse(JSON.parse(new TextDecoder().decode(plain)));
    return { value: { ...open, ...confidential }, version };
  }

  async function save(next: ConnectorConfig, expected: string | null): Promise<string | undefined> {
    const writes = [
      { key: keys.connectorConfig(next.workspaceId, next.connectorId), value: await seal(next), expected },
      newRevision(),
    ];
    // Its webhook URL would be valid again.
    return await records.commit(writes, [{ key: keys.workspaceRemoval(next.workspaceId), version: null }]);
  }

  return {
    async get(workspaceId, connectorId) {
      const entry = await kv.get(keys.connectorConfig(workspaceId, connectorId));
      try {
        const found = await records.open(entry, storedSchema);
        return found && await unseal(found);
      } catch (cause) {
        if (!isUnreadable(cause)) throw cause;
        throw new UnreadableSettingsError(connectorId, { version: entry.versionstamp, cause });
      }
    },
    async list(workspaceId) {
      const prefix = workspaceId === undefined ? keys.connectorConfigs() : keys.connectorConfigsOf(workspaceId);
      const unsealed = await Promise.allSettled((await records.list(prefix, storedSchema)).map(unseal));
      return unsealed.flatMap((result) => {
        if (result.status === "fulfilled") return [result.value];
        log.error("a connector's settings cannot be read: {reason}", { reason: String(result.reason) });
        return [];
      });
    },
    async save(next, expected) {
      const version = await save(next, expected);
      return version === undefined ? undefined : { value: next, version };
    },
    async reseal(leaveOut) {
      const resealed = await resealRecords(kv, keys.connectorConfigs(), storedSchema, {
        sealer,
        leaveOut,
        contextOf: (stored) => contextOf(stored.workspaceId, stored.connectorId),
      });
      // Whoever holds them has other versions.
      if (resealed > 0) await records.commit([newRevision()]);
      return resealed;
    },
    async revision() {
      return (await records.get(keys.connectorConfigsRevision(), z.string()))?.value ?? "";
    },
    async *changes(signal) {
      const reader = kv.watch([keys.connectorConfigsRevision()]).getReader();
      const stop = () => void reader.cancel();
      signal.addEventListener("abort", stop, { once: true });
      try {
        while (!signal.aborted && !(await reader.read()).done) yield;
      } finally {
        signal.removeEventListener("abort", stop);
        await reader.cancel();
      }
    },
  };
}

/** Tells all processes to read the configs again. */
function newRevision(): Write {
  return { key: keys.connectorConfigsRevision(), value: crypto.randomUUID() };
}

function contextOf(workspaceId: string, connectorId: string): string {
  return `connector-config/${workspaceId}/${connectorId}`;
}
