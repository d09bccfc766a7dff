import type { DeliveryKey, Sealer, SerializedEvent, Spool } from "../deps.ts";
import { SpoolFullError, StoreError } from "../errors.ts";
import { addAccepted } from "./accepted.ts";
import { Coalesced, howManyFit } from "./coalesced.ts";
import { keys } from "./keys.ts";
import { coalescedReads, type Reads } from "./reads.ts";
import { Records, type Write } from "./records.ts";
import { type Resealing, resealRecords } from "./sealed.ts";
import { claimSpool } from "./spool_claim.ts";
import {
  addSize,
  bytesOf,
  countOf,
  entryContext,
  entrySchema,
  firstPositions,
  nextPosition,
  readSize,
  sealEvents,
  sizeOf,
} from "./spool_entries.ts";
import { unlocked } from "./unlocked.ts";

/** What {@link spoolStore} works with. */
export interface SpoolOptions {
  readonly sealer: Sealer;
  /** Most bytes of events, as JSON, that it holds, with the dead letters. */
  readonly limitBytes: number;
  /** How long deliveries that are stored with their events are known as accepted; `0`: they are not recorded. */
  readonly dedupeWindowMs: number;
  readonly now: () => Date;
  /** Shared with others that read before a delivery is accepted. */
  readonly reads?: Reads;
  /** Names this process among those on the store. */
  readonly owner?: string;
}

/** Events up to this are sealed together: base64 and all, the record stays in one piece. */
const ENTRY_BYTES = 44 * 1024;
/** Deno KV allows 800 KiB and 1,000 mutations in a commit; sealed, this becomes 480 KiB. */
const BYTES_PER_COMMIT = 8 * ENTRY_BYTES;
const APPENDS_PER_COMMIT = 500;
/** And 100 checks: each entry is one. A workspace has one, and one more for every {@link ENTRY_BYTES} at most, or two. */
const WORKSPACES_PER_COMMIT = 80;
/** How often a commit is tried again when another process took the same place. */
const PLACE_RETRIES = 20;

interface Append {
  readonly workspaceId: string;
  readonly events: readonly SerializedEvent[];
  readonly bytes: number;
  readonly delivery: DeliveryKey | undefined;
}

/**
 * The spool in Deno KV. What several requests append at a time becomes one commit; the events of each workspace in it
 * are sealed together.
 */
export function spoolStore(kv: Deno.Kv, options: SpoolOptions): Spool & Resealing {
  const { sealer, limitBytes, dedupeWindowMs, now, reads = coalescedReads(kv), owner = crypto.randomUUID() } = options;
  const records = new Records(kv);
  const joining = new Map<string, number>();
  const appends = new Coalesced<Append, boolean>({
    fit: (waiting) => {
      const most = howManyFit(waiting.map(({ bytes }) => bytes), APPENDS_PER_COMMIT, BYTES_PER_COMMIT);
      const workspaces = new Set<string>();
      const tooMany = waiting.findIndex(({ workspaceId }) => workspaces.add(workspaceId).size > WORKSPACES_PER_COMMIT);
      return tooMany < 0 ? most : Math.min(most, tooMany);
    },
    run: write,
  });

  /** Stores those that fit; says which. */
  async function write(batch: readonly Append[]): Promise<boolean[]> {
    let { bytes } = await readSize(kv);
    const fits = batch.map((append) => {
      if (bytes + append.bytes > limitBytes) return false;
      bytes += append.bytes;
      return true;
    });
    const taken = batch.filter((_, index) => fits[index]);
    for (let attempt = 0; taken.length > 0 && !await commit(taken); attempt++) {
      if (attempt === PLACE_RETRIES) throw new StoreError("Cannot spool: other processes took every place");
    }
    return fits;
  }

  async function commit(batch: readonly Append[]): Promise<boolean> {
    const writes: Write[] = [];
    for (const [workspaceId, appended] of Map.groupBy(batch, ({ workspaceId }) => workspaceId)) {
      let position = await nextPosition(kv, workspaceId, now());
      for (const events of together(appended)) {
        const value = await sealEvents(sealer, events, entryContext(workspaceId, position));
        writes.push({ key: keys.spoolEntry(workspaceId, position), value, expected: null });
        position++;
      }
    }
    const version = await records.commit(writes, [], (atomic) => {
      for (const [workspaceId, appended] of Map.groupBy(batch, ({ workspaceId }) => workspaceId)) {
        addSize(atomic, workspaceId, sizeOf(appended.flatMap(({ events }) => events)));
      }
      if (dedupeWindowMs === 0) return;
      for (const { delivery } of batch) {
        if (delivery !== undefined) addAccepted(atomic, delivery, { windowMs: dedupeWindowMs, now });
      }
    });
    return version !== undefined;
  }

  return {
    async append(events, delivery) {
      const workspaceId = events[0]?.event.workspaceId;
      if (workspaceId === undefined) return;
      joining.set(workspaceId, (joining.get(workspaceId) ?? 0) + 1);
      try {
        if (await appends.add({ workspaceId, events, bytes: bytesOf(events), delivery })) return;
      } finally {
        reads.written(keys.spoolSize(workspaceId, "events"));
        const left = (joining.get(workspaceId) ?? 1) - 1;
        if (left === 0) joining.delete(workspaceId);
        else joining.set(workspaceId, left);
      }
      throw new SpoolFullError(
        `Cannot publish: the broker does not confirm, and the spool is full, ${limitBytes} bytes (SPOOL_MAX_BYTES)`,
      );
    },
    async holds(workspaceId) {
      return joining.has(workspaceId) || countOf(await reads.get(keys.spoolSize(workspaceId, "events"))) > 0;
    },
    // Deleting what is never there commits, and changes nothing.
    tryToWrite: () => unlocked(() => kv.delete(keys.neverThere())),
    async workspaces() {
      return [...(await firstPositions(kv)).keys()];
    },
    async state() {
      const [size, first] = await Promise.all([readSize(kv), firstPositions(kv)]);
      const oldest = Math.min(...first.values());
      return { ...size, limitBytes, oldestAt: first.size === 0 ? undefined : new Date(oldest / 1000) };
    },
    reseal: (leaveOut) =>
      resealRecords(kv, keys.spool(), entrySchema, {
        sealer,
        leaveOut,
        contextOf: (_, key) => entryContext(String(key[1]), Number(key[2])),
      }),
    claim: () => claimSpool(kv, { sealer, now, owner }),
  };
}

/** The events of each append whole, and those of several in one list while they are few. */
function together(appends: readonly Append[]): SerializedEvent[][] {
  const entries: { events: SerializedEvent[]; bytes: number }[] = [];
  for (const { events, bytes } of appends) {
    const last = entries.at(-1);
    if (last !== undefined && last.bytes + bytes <= ENTRY_BYTES) {
      last.events.push(...events);
      last.bytes += bytes;
    } else {
      entries.push({ events: [...events], bytes });
    }
  }
  return entries.map(({ events }) => events);
}
