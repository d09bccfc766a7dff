import { getLogger } from "@logtape/logtape";
import type { ActivityChange, ActivityStore, DeliveryRecord, DeliveryStore } from "../deps.ts";

/** A delivery to be recorded, with the body if that is to be kept. */
export interface Recorded {
  readonly record: DeliveryRecord;
  readonly body: Uint8Array<ArrayBuffer> | undefined;
  /** The types of all of its events, of which the record names the first only. */
  readonly types: readonly string[];
}

/** What the counters are told. */
export type Counted = Pick<
  DeliveryRecord,
  "workspaceId" | "connectorId" | "receivedAt" | "published" | "queued" | "status" | "refusal"
>;

type Change = ActivityChange & { readonly events: Map<number, number>; readonly triggers: Map<string, number> };

/** Keeps account of deliveries, out of their way. */
export interface Recorder {
  /** Takes note of a delivery; it is written soon. */
  record(delivery: Recorded): void;
  /** Counts events of these types that came without a delivery. */
  count(events: Counted, types: readonly string[]): void;
  /** Resolves when all that was noted before is written. */
  flush(): Promise<void>;
}

/** What {@link createRecorder} works with. */
export interface RecorderParts {
  /** `undefined`: single deliveries are not kept, only counted. */
  readonly deliveries: DeliveryStore | undefined;
  readonly activity: ActivityStore;
  /** The trigger that an event type is counted under: where senders choose types, there may be any number of them. */
  readonly triggerOf: (type: string) => string;
  /** How long deliveries gather before they are written. */
  readonly gatherMs?: number;
}

/**
 * Under load the log keeps this many deliveries of each writing, the newest: its cost is bounded, and so is what it holds
 * in memory. Counters count all.
 */
const MOST_PER_FLUSH = 250;
/** Bodies beyond this are not kept, and no more of them at a time than {@link MOST_BODY_BYTES_PER_FLUSH} together. */
const LARGEST_BODY_BYTES = 4 * 1024 * 1024;
const MOST_BODY_BYTES_PER_FLUSH = 16 * 1024 * 1024;

const MINUTE_MS = 60_000;
const log = getLogger(["inlet", "deliveries"]);

/** Makes a recorder. What it cannot write it drops, and says so: the events themselves are with the broker. */
export function createRecorder({ deliveries, activity, triggerOf, gatherMs = 1000 }: RecorderParts): Recorder {
  let pending: Pick<Recorded, "record" | "body">[] = [];
  let changes = new Map<string, Change>();
  let pendingBytes = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing: Promise<void> = Promise.resolve();

  function count(counted: Counted, types: readonly string[]): void {
    const { workspaceId, connectorId, receivedAt, published, queued, status, refusal } = counted;
    const key = `${workspaceId}/${connectorId}`;
    const before = changes.get(key);
    const events = before?.events ?? new Map<number, number>();
    const triggers = before?.triggers ?? new Map<string, number>();
    const taken = published + queued;
    if (taken > 0) {
      const minute = Math.floor(receivedAt.getTime() / MINUTE_MS);
      events.set(minute, (events.get(minute) ?? 0) + taken);
      for (const type of types) {
        const trigger = triggerOf(type);
        triggers.set(trigger, (triggers.get(trigger) ?? 0) + 1);
      }
    }
    const lastEventAt = taken > 0 ? receivedAt : before?.lastEventAt ?? null;
    const newest = { receivedAt, status, refusal };
    changes.set(key, { workspaceId, connectorId, events, triggers, lastEventAt, newest });
  }

  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const [records, counted] = [pending, changes];
    [pending, changes, pendingBytes] = [[], new Map(), 0];
    try {
      for (const change of counted.values()) await activity.add(change);
      await Promise.all(records.map(({ record, body }) => deliveries?.append(record, body)));
    } catch (error) {
      log.error("cannot record deliveries: {error}", { error });
    }
  }

  function keep({ record, body }: Recorded): void {
    const bytes = body?.length ?? 0;
    const keepsBody = body !== undefined && bytes <= LARGEST_BODY_BYTES &&
      pendingBytes + bytes <= MOST_BODY_BYTES_PER_FLUSH;
    pending.push(keepsBody ? { record, body } : { record: { ...record, bodyKept: false }, body: undefined });
    pendingBytes += keepsBody ? bytes : 0;
    if (pending.length > MOST_PER_FLUSH) pendingBytes -= pending.shift()?.body?.length ?? 0;
  }

  function writeSoon(): void {
    timer ??= setTimeout(() => writing = writing.then(write), gatherMs);
  }

  return {
    record(delivery) {
      count(delivery.record, delivery.types);
      if (deliveries !== undefined) keep(delivery);
      writeSoon();
    },
    count(events, types) {
      count(events, types);
      writeSoon();
    },
    async flush() {
      writing = writing.then(write);
      await writing;
    },
  };
}
