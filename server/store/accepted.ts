import { z } from "zod";
import type { AcceptedDeliveries, DeliveryKey } from "../deps.ts";
import { Coalesced } from "./coalesced.ts";
import { keys } from "./keys.ts";
import { unlocked } from "./unlocked.ts";

/** Keys in one read: Deno KV allows ten. */
const KEYS_PER_READ = 10;
/** Records in one commit: Deno KV allows 1,000 mutations. */
const RECORDS_PER_COMMIT = 500;

const atSchema = z.number();

/** How long accepted deliveries are known, and by what clock. */
export interface AcceptedOptions {
  readonly windowMs: number;
  readonly now: () => Date;
}

/** The accepted deliveries in Deno KV. Reads and writes of many deliveries at a time share their accesses. */
export function acceptedDeliveries(kv: Deno.Kv, { windowMs, now }: AcceptedOptions): AcceptedDeliveries {
  const reads = new Coalesced<DeliveryKey, boolean>({
    fit: () => KEYS_PER_READ,
    async run(batch) {
      const entries = await kv.getMany<unknown[]>(batch.map(({ workspaceId, id }) => keys.accepted(workspaceId, id)));
      return entries.map(({ value }) => {
        const at = atSchema.safeParse(value);
        // Deno KV deletes what has expired some time after.
        return at.success && now().getTime() - at.data < windowMs;
      });
    },
  });
  const writes = new Coalesced<DeliveryKey, void>({
    fit: () => RECORDS_PER_COMMIT,
    async run(batch) {
      const atomic = kv.atomic();
      for (const delivery of batch) addAccepted(atomic, delivery, { windowMs, now });
      await unlocked(() => atomic.commit());
      return batch.map(() => undefined);
    },
  });
  return {
    has: (delivery) => reads.add(delivery),
    record: (delivery) => writes.add(delivery),
  };
}

/** Adds to a commit that the delivery was accepted: for whoever stores its events. */
export function addAccepted(
  atomic: Deno.AtomicOperation,
  { workspaceId, id }: DeliveryKey,
  { windowMs, now }: AcceptedOptions,
): void {
  atomic.set(keys.accepted(workspaceId, id), now().getTime(), { expireIn: windowMs });
}
