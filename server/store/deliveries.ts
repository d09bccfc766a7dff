import { z } from "zod";
import type { DeliveryRecord, DeliveryStore, Sealer } from "../deps.ts";
import { keys } from "./keys.ts";
import { Records } from "./records.ts";

const recordSchema = z.object({
  id: z.uuid(),
  workspaceId: z.uuid(),
  connectorId: z.string(),
  receivedAt: z.iso.datetime().transform((text) => new Date(text)),
  deliveryId: z.string().nullable(),
  status: z.int(),
  refusal: z.string().nullable(),
  published: z.int(),
  events: z.array(z.object({ id: z.string(), type: z.string() })),
  durationMs: z.number(),
  bodyBytes: z.int().nullable(),
  headers: z.record(z.string(), z.string()),
  bodyKept: z.boolean(),
});

/** How many deliveries are kept, and for how long. */
export interface DeliveryRetention {
  readonly ageMs: number;
  /** For each workspace. */
  readonly count: number;
}

/** How many more than its share a workspace may have before the oldest are deleted, so that not every write deletes. */
const SLACK = 20;

/** The deliveries of late in Deno KV, each body sealed and bound to its place. */
export function deliveryStore(
  kv: Deno.Kv,
  { sealer, retention, now }: { sealer: Sealer; retention: DeliveryRetention; now: () => Date },
): DeliveryStore {
  const records = new Records(kv);
  const counts = new Map<string, number>();

  const isFresh = ({ receivedAt }: DeliveryRecord) => now().getTime() - receivedAt.getTime() < retention.ageMs;

  async function idsOf(workspaceId: string): Promise<string[]> {
    const entries = kv.list({ prefix: keys.deliveriesOf(workspaceId) });
    return await Array.fromAsync(entries, ({ key }) => String(key.at(-1)));
  }

  /** Other processes may add as well: the count is only a reason to look. */
  async function prune(workspaceId: string): Promise<void> {
    const counted = counts.get(workspaceId);
    const count = counted === undefined ? Infinity : counted + 1;
    counts.set(workspaceId, count);
    if (count <= retention.count + SLACK) return;
    const ids = await idsOf(workspaceId);
    const excess = ids.slice(0, Math.max(0, ids.length - retention.count));
    for (const id of excess) {
      await kv.delete(keys.delivery(workspaceId, id));
      await records.delete(keys.deliveryBody(workspaceId, id));
    }
    counts.set(workspaceId, ids.length - excess.length);
  }

  return {
    async append(record, body) {
      const expiry = { expireInMs: retention.ageMs };
      const { workspaceId, id } = record;
      const writes = [{ key: keys.delivery(workspaceId, id), value: record, ...expiry }];
      if (body === undefined) {
        await records.commit(writes);
      } else {
        const sealed = (await sealer.seal(body, contextOf(workspaceId, id))).toBase64();
        const bodyWrite = { key: keys.deliveryBody(workspaceId, id), value: sealed, expected: null, ...expiry };
        await records.commit([...writes, bodyWrite]);
      }
      await prune(workspaceId);
    },
    async list(workspaceId, { limit, before, connectorId }) {
      const found: DeliveryRecord[] = [];
      let end = before === undefined ? undefined : keys.delivery(workspaceId, before);
      while (found.length < limit) {
        const options = { limit: connectorId === undefined ? limit : 200, reverse: true, ...(end && { end }) };
        const page = await records.list(keys.deliveriesOf(workspaceId), recordSchema, options);
        found.push(
          ...page.map(({ value }) => value).filter((record) => {
            return isFresh(record) && (connectorId === undefined || record.connectorId === connectorId);
          }),
        );
        end = page.at(-1)?.key;
        if (page.length < options.limit) break;
      }
      return found.slice(0, limit);
    },
    async get(workspaceId, id) {
      const record = (await records.get(keys.delivery(workspaceId, id), recordSchema))?.value;
      return record && isFresh(record) ? record : undefined;
    },
    async body(workspaceId, id) {
      const sealed = await records.get(keys.deliveryBody(workspaceId, id), z.base64());
      return sealed && await sealer.unseal(Uint8Array.fromBase64(sealed.value), contextOf(workspaceId, id));
    },
  };
}

function contextOf(workspaceId: string, id: string): string {
  return `delivery-body/${workspaceId}/${id}`;
}
