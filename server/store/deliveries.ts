import { Buffer } from "node:buffer";
import { z } from "zod";
import type { DeliveryFilter, DeliveryRecord, DeliveryStore, Sealer } from "../deps.ts";
import { INLINE_BYTES } from "./chunks.ts";
import { changeRecords } from "./change.ts";
import { Coalesced, howManyFit } from "./coalesced.ts";
import { keys } from "./keys.ts";
import { Pruner } from "./pruner.ts";
import { Records, type Write } from "./records.ts";
import { type Resealing, sealAnew } from "./sealed.ts";
import { timeSchema } from "./time.ts";
import { timeOf } from "./uuid_time.ts";

const recordSchema = z.object({
  id: z.uuid(),
  workspaceId: z.uuid(),
  connectorId: z.string(),
  receivedAt: timeSchema,
  deliveryId: z.string().nullable(),
  status: z.int(),
  refusal: z.string().nullable(),
  published: z.int(),
  // Records of before there was a spool have neither.
  queued: z.int().default(0),
  duplicate: z.boolean().default(false),
  events: z.array(z.object({ id: z.string(), type: z.string() })),
  durationMs: z.number(),
  bodyBytes: z.int().nullable(),
  headers: z.record(z.string(), z.string()),
  bodyKept: z.boolean(),
});

/**
 * What goes into one commit: Deno KV allows 100 checks, of which each body is one, and each record that is too large for
 * one piece, and 800 KiB with overhead.
 */
const RECORDS_PER_COMMIT = 90;
const BYTES_PER_COMMIT = 64 * 1024;

/** What JSON adds to a text of base64. */
const QUOTATION_MARKS = 2;

interface Append {
  readonly record: DeliveryRecord;
  /** Of the record as JSON: its headers are as long as the sender likes. */
  readonly recordBytes: number;
  readonly body: Uint8Array<ArrayBuffer> | undefined;
}

/** How many deliveries are kept, and for how long. */
export interface DeliveryRetention {
  readonly ageMs: number;
  /** For each workspace. */
  readonly count: number;
}

/**
 * The deliveries of late in Deno KV, each body sealed and bound to its place. Those that are appended at a time share their
 * commits: one for each would keep the store from those who wait for it.
 */
export function deliveryStore(
  kv: Deno.Kv,
  { sealer, retention, now }: { sealer: Sealer; retention: DeliveryRetention; now: () => Date },
): DeliveryStore & Resealing {
  const records = new Records(kv);
  const pruner = new Pruner(kv, {
    most: retention.count,
    ageMs: retention.ageMs,
    writtenAt: ({ key }) => timeOf(String(key[2])),
    now,
    async keysOf(entry) {
      const [, workspaceId, id] = entry.key;
      const body = await kv.get(keys.deliveryBody(String(workspaceId), String(id)));
      return [...records.keysOf(entry), ...records.keysOf(body)];
    },
  });

  const isFresh = ({ receivedAt }: DeliveryRecord) => now().getTime() - receivedAt.getTime() < retention.ageMs;

  const appends = new Coalesced<Append, void>({
    // In base64 a body takes a third more.
    fit: (waiting) => {
      const sizes = waiting.slice(0, RECORDS_PER_COMMIT + 1).map(({ recordBytes, body }) =>
        recordBytes + (body?.length ?? 0) * 4 / 3
      );
      return howManyFit(sizes, RECORDS_PER_COMMIT, BYTES_PER_COMMIT);
    },
    async run(batch) {
      await records.commit((await Promise.all(batch.map(writesOf))).flat());
      for (const [workspaceId, { length }] of Map.groupBy(batch, ({ record }) => record.workspaceId)) {
        pruner.added(keys.deliveriesOf(workspaceId), length);
      }
      // The log is written in the background as it is.
      await pruner.idle();
      return batch.map(() => undefined);
    },
  });

  async function writesOf({ record, recordBytes, body }: Append): Promise<Write[]> {
    const expiry = { expireInMs: retention.ageMs };
    const { workspaceId, id } = record;
    // What is checked costs more, and only what is in chunks has to be.
    const checked = (bytes: number) => bytes > INLINE_BYTES ? { expected: null } : {};
    const write = { key: keys.delivery(workspaceId, id), value: record, ...checked(recordBytes), ...expiry };
    if (body === undefined) return [write];
    const sealed = (await sealer.seal(body, contextOf(workspaceId, id))).toBase64();
    const bytes = sealed.length + QUOTATION_MARKS;
    return [write, { key: keys.deliveryBody(workspaceId, id), value: sealed, ...checked(bytes), ...expiry }];
  }

  async function get(workspaceId: string, id: string): Promise<DeliveryRecord | undefined> {
    const record = (await records.get(keys.delivery(workspaceId, id), recordSchema))?.value;
    return record && isFresh(record) ? record : undefined;
  }

  return {
    append: (record, body) => appends.add({ record, recordBytes: Buffer.byteLength(JSON.stringify(record)), body }),
    async list(workspaceId, { limit, before, ...filter }) {
      const found: DeliveryRecord[] = [];
      const options = { reverse: true, ...(before !== undefined && { end: keys.delivery(workspaceId, before) }) };
      for await (const { value } of records.each(keys.deliveriesOf(workspaceId), recordSchema, options)) {
        if (isFresh(value) && isMeant(value, filter)) found.push(value);
        if (found.length === limit) break;
      }
      return found;
    },
    get,
    reseal: (leaveOut) =>
      changeRecords(kv, keys.deliveryBodies(), z.base64(), {
        leaveOut,
        async change(body, key) {
          const [workspaceId, id] = [String(key[1]), String(key[2])];
          const record = await get(workspaceId, id);
          if (record === undefined) return undefined;
          const value = await sealAnew(sealer, body, contextOf(workspaceId, id));
          if (value === undefined) return undefined;
          const leftMs = record.receivedAt.getTime() + retention.ageMs - now().getTime();
          // It may have come to its end just now, or have come before the clock was set back.
          return { value, expireInMs: Math.min(retention.ageMs, Math.max(1, leftMs)) };
        },
      }),
    async body(workspaceId, id) {
      const sealed = await records.get(keys.deliveryBody(workspaceId, id), z.base64());
      return sealed && await sealer.unseal(Uint8Array.fromBase64(sealed.value), contextOf(workspaceId, id));
    },
  };
}

function isMeant(record: DeliveryRecord, { connectorId, refused = false, id }: DeliveryFilter): boolean {
  return (connectorId === undefined || record.connectorId === connectorId) && (!refused || record.refusal !== null) &&
    (id === undefined || hasId(record, id));
}

/** Of a delivery that was refused, only a header may say the source's id. */
function hasId(record: DeliveryRecord, id: string): boolean {
  return record.id === id || record.deliveryId === id || record.events.some((event) => event.id === id) ||
    Object.values(record.headers).includes(id);
}

function contextOf(workspaceId: string, id: string): string {
  return `delivery-body/${workspaceId}/${id}`;
}
