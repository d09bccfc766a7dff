import { z } from "zod";
import type { ActivityStore, ConnectorActivity } from "../deps.ts";
import { keys } from "./keys.ts";
import { Records } from "./records.ts";
import { timeSchema } from "./time.ts";
import { unlocked } from "./unlocked.ts";

const MINUTES = 60;
const MINUTE_MS = 60_000;
/** How far the clocks of processes may be apart. What is told as later than that was told by a clock that was wrong. */
const CLOCKS_APART_MS = 60_000;
/** Counters are read for an hour; those older than two are deleted, since Deno KV does not expire counters. */
const KEPT_MINUTES = 2 * MINUTES;

const outcomeSchema = z.object({
  connectorId: z.string(),
  lastEventAt: timeSchema.nullable(),
  newestAt: timeSchema,
  refusal: z.object({ status: z.int(), reason: z.string() }).nullable(),
});

/** Counters and outcomes in Deno KV; several processes add up. */
export function activityStore(kv: Deno.Kv): ActivityStore {
  const records = new Records(kv);
  const prunedAt = new Map<string, number>();

  async function prune(workspaceId: string, connectorId: string, minute: number): Promise<void> {
    const connector = `${workspaceId}/${connectorId}`;
    if (prunedAt.get(connector) === minute) return;
    prunedAt.set(connector, minute);
    const start = keys.minute(workspaceId, connectorId, 0);
    const end = keys.minute(workspaceId, connectorId, minute - KEPT_MINUTES);
    for await (const { key } of kv.list({ start, end })) await unlocked(() => kv.delete(key));
  }

  async function perMinute(workspaceId: string, connectorId: string, now: Date): Promise<number[]> {
    const present = Math.floor(now.getTime() / MINUTE_MS);
    const counts = Array.from({ length: MINUTES }, () => 0);
    const range = {
      start: keys.minute(workspaceId, connectorId, present - MINUTES + 1),
      end: keys.minute(workspaceId, connectorId, present + 1),
    };
    for await (const { key, value } of kv.list(range)) {
      if (value instanceof Deno.KvU64) counts[Number(key.at(-1)) - present + MINUTES - 1] = Number(value.value);
    }
    return counts;
  }

  return {
    async add({ workspaceId, connectorId, events, triggers, lastEventAt, newest }) {
      const atomic = kv.atomic();
      for (const [minute, count] of events) {
        atomic.sum(keys.minute(workspaceId, connectorId, minute), BigInt(count));
      }
      for (const [trigger, count] of triggers) atomic.sum(keys.eventCount(workspaceId, trigger), BigInt(count));
      await unlocked(() => atomic.commit());
      for (const minute of events.keys()) await prune(workspaceId, connectorId, minute);
      const key = keys.outcome(workspaceId, connectorId);
      const stored = await records.read(await kv.get(key), outcomeSchema);
      const laterMs = stored === undefined ? 0 : stored.newestAt.getTime() - newest.receivedAt.getTime();
      if (laterMs > 0 && laterMs <= CLOCKS_APART_MS) return;
      const { receivedAt, status, refusal } = newest;
      await records.commit([{
        key,
        value: {
          connectorId,
          lastEventAt: lastEventAt ?? stored?.lastEventAt ?? null,
          newestAt: receivedAt,
          refusal: refusal === null ? null : { status, reason: refusal },
        },
      }]);
    },
    async eventCounts(workspaceId) {
      const counts = new Map<string, number>();
      for await (const { key, value } of kv.list({ prefix: keys.eventCountsOf(workspaceId) })) {
        if (value instanceof Deno.KvU64) counts.set(String(key.at(-1)), Number(value.value));
      }
      return counts;
    },
    async read(workspaceId, now) {
      const outcomes = await records.list(keys.outcomesOf(workspaceId), outcomeSchema);
      return await Promise.all(outcomes.map(async ({ value }): Promise<ConnectorActivity> => {
        const { connectorId, lastEventAt, newestAt, refusal } = value;
        return {
          connectorId,
          perMinute: await perMinute(workspaceId, connectorId, now),
          lastEventAt,
          refusal: refusal && { at: newestAt, ...refusal },
        };
      }));
    },
  };
}
