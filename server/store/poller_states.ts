import { z } from "zod";
import type { Sealer, Versioned } from "../deps.ts";
import type { Lease, PollerState, PollerStateStore } from "../poller/deps.ts";
import { isUnreadable, UnreadableStateError } from "../errors.ts";
import { keys } from "./keys.ts";
import { Records } from "./records.ts";
import { type Resealing, resealRecords } from "./sealed.ts";
import { timeSchema } from "./time.ts";

const stateSchema = z.object({
  workspaceId: z.uuid(),
  connectorId: z.string(),
  /** Base64 of the sealed cursor, as JSON. */
  sealed: z.base64(),
  configVersion: z.string(),
  lastRunAt: timeSchema.nullable(),
  caughtUpAt: timeSchema.nullable(),
  lastError: z.string().nullable(),
  failures: z.int(),
  nextRunAt: timeSchema.nullable(),
});

type Stored = z.output<typeof stateSchema>;

/**
 * The states of pollers in Deno KV, written only under the lease that they were read under. Cursors are sealed, bound to
 * workspace and connector: what a connector notes in one can be private, such as the titles of appointments.
 */
export function pollerStateStore(kv: Deno.Kv, sealer: Sealer): PollerStateStore & Resealing {
  const records = new Records(kv);

  async function seal({ cursor, ...open }: PollerState): Promise<Stored> {
    const plain = new TextEncoder().encode(JSON.stringify(cursor ?? null));
    return { ...open, sealed: (await sealer.seal(plain, contextOf(open))).toBase64() };
  }

  async function unseal({ value: { sealed, ...open }, version }: Versioned<Stored>): Promise<Versioned<PollerState>> {
    const plain = await sealer.unseal(Uint8Array.fromBase64(sealed), contextOf(open));
    return { value: { ...open, cursor: JSON.parse(new TextDecoder().decode(plain)) }, version };
  }

  const fenceOf = (lease: Lease) => ({ key: keys.leaseFence(lease.name), version: lease.fence });

  return {
    async get(workspaceId, connectorId) {
      try {
        const found = await records.get(keys.pollerState(workspaceId, connectorId), stateSchema);
        return found && await unseal(found);
      } catch (cause) {
        if (!isUnreadable(cause)) throw cause;
        throw new UnreadableStateError(connectorId, cause);
      }
    },
    async forget(workspaceId, connectorId, lease) {
      const entry = await kv.get(keys.pollerState(workspaceId, connectorId));
      await records.commit([], [fenceOf(lease)], (atomic) => {
        for (const key of records.keysOf(entry)) atomic.delete(key);
      });
    },
    async save(next, expected, lease) {
      const key = keys.pollerState(next.workspaceId, next.connectorId);
      const version = await records.commit([{ key, value: await seal(next), expected }], [fenceOf(lease)]);
      return version === undefined ? undefined : { value: next, version };
    },
    reseal: (leaveOut) =>
      resealRecords(kv, keys.pollerStates(), stateSchema, { sealer, leaveOut, contextOf: (state) => contextOf(state) }),
  };
}

function contextOf({ workspaceId, connectorId }: Pick<PollerState, "workspaceId" | "connectorId">): string {
  return `poller-state/${workspaceId}/${connectorId}`;
}
