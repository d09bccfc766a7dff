import { z } from "zod";
import type { AcceptedDeliveries, DeliveryKey } from "../deps.ts";
import { Coalesced } from "./coalesced.ts";
import { keys } from "./keys.ts";
import { coalescedReads, type Reads } from "./reads.ts";
import { unlocked } from "./unlocked.ts";

/** Records in one commit: Deno KV allows 1,000 mutations. */
const RECORDS_PER_COMMIT = 500;

const atSchema = z.number();

/** How long accepted deliveries are known, and by what clock. */
export interface AcceptedOptions {
  readonly windowMs: number;
  readonly now: () => Date;
}

/** The accepted deliveries in Deno KV. Writes of many deliveries at a time share their commits. */
export function acceptedDeliveries(
  kv: Deno.Kv,
  { windowMs, now, reads = coalescedReads(kv) }: AcceptedOptions & { readonly reads?: Reads },
): AcceptedDeliveries {
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
    async has({ workspaceId, id }) {
      // Whoever publishes it then looks whether the spool holds something of the workspace.
      const next = [keys.spoolSize(workspaceId, "events")];
      const at = atSchema.safeParse((await reads.get(keys.accepted(workspaceId, id), next)).value);
      // Deno KV deletes what has expired some time after.
      return at.success && now().getTime() - at.data < windowMs;
    },
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
