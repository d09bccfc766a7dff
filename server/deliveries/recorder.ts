import { getLogger } from "@logtape/logtape";
import type { ActivityChange, ActivityStore, DeliveryRecord, DeliveryStore } from "../deps.ts";

/** A delivery to be recorded, with the body if that is to be kept. */
export interface Recorded {
  readonly record: DeliveryRecord;
  readonly body: Uint8Array<ArrayBuffer> | undefined;
}

/** What the counters are told. */
export type Counted = Pick<
  DeliveryRecord,
  "workspaceId" | "connectorId" | "receivedAt" | "published" | "queued" | "status" | "refusal"
>;

/** Keeps account of deliveries, out of their way. */
export interface Recorder {
  /** Takes note of a delivery; it is written soon. */
  record(delivery: Recorded): void;
  /** Counts events that came without a delivery. */
  count(events: Counted): void;
  /** Resolves when all that was noted before is written. */
  flush(): Promise<void>;
}

/** What {@link createRecorder} works with. */
export interface RecorderParts {
  /** `undefined`: single deliveries are not kept, only counted. */
  readonly deliveries: DeliveryStore | undefined;
  readonly activity: ActivityStore;
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
export function createRecorder({ deliveries, activity, gatherMs = 1000 }: RecorderParts): Recorder {
  let pending: Recorded[] = [];
  let changes = new Map<string, ActivityChange & { events: Map<number, number> }>();
  let pendingBytes = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing: Promise<void> = Promise.resolve();

  function count({ workspaceId, connectorId, receivedAt, published, queued, status, refusal }: Counted): void {
    const key = `${workspaceId}/${connectorId}`;
    const before = changes.get(key);
    const events = before?.events ?? new Map<number, number>();
    const minute = Math.floor(receivedAt.getTime() / MINUTE_MS);
    const taken = published + queued;
    if (taken > 0) events.set(minute, (events.get(minute) ?? 0) + taken);
    const lastEventAt = taken > 0 ? receivedAt : before?.lastEventAt ?? null;
    changes.set(key, { workspaceId, connectorId, events, lastEventAt, newest: { receivedAt, status, refusal } });
  }

  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const [records, counted] = [pending, changes];
    [pending, changes, pendingBytes] = [[], new Map(), 0];
    try {
      for (const change of counted.values()) await activity.add(change);
      for (const { record, body } of records) await deliveries?.append(record, body);
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
      count(delivery.record);
      if (deliveries !== undefined) keep(delivery);
      writeSoon();
    },
    count(events) {
      count(events);
      writeSoon();
    },
    async flush() {
      writing = writing.then(write);
      await writing;
    },
  };
}
