import { getLogger } from "@logtape/logtape";
import type { ActivityChange, ActivityStore, DeliveryRecord, DeliveryStore } from "../deps.ts";
import { WaitingDeliveries, type WaitingDelivery } from "./waiting.ts";

/** A delivery to be recorded, with the body if that is to be kept. */
export interface Recorded extends WaitingDelivery {
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
  readonly now: () => Date;
  /** How long deliveries gather before they are written. */
  readonly gatherMs?: number;
}

/**
 * The log keeps a burst of so many deliveries whole, and under lasting load so many a second, the newest: for people they
 * are more than enough, and what they cost is kept from the events. Counters count all.
 */
const BURST = 500;
const KEPT_PER_SECOND = 10;

const MINUTE_MS = 60_000;
const log = getLogger(["inlet", "deliveries"]);

function tell(error: unknown): void {
  log.error("cannot record deliveries: {error}", { error });
}

/** Makes a recorder. What it cannot write it drops, and says so: the events themselves are with the broker. */
export function createRecorder({ deliveries, activity, triggerOf, now, gatherMs = 1000 }: RecorderParts): Recorder {
  const waiting = new WaitingDeliveries(BURST);
  let room = BURST;
  let roomAt = now().getTime();
  let changes = new Map<string, Change>();
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
    const records = waiting.take(roomNow());
    room -= records.length;
    const counted = changes;
    changes = new Map();
    // What cannot be counted of one connector is no reason to lose the others' counts, nor the log.
    for (const change of counted.values()) await activity.add(change).catch(tell);
    await Promise.all(records.map(({ record, body }) => deliveries?.append(record, body))).catch(tell);
  }

  /** How many deliveries the log takes now. A clock that is set back takes none of it. */
  function roomNow(): number {
    const at = now().getTime();
    room = Math.min(BURST, room + Math.max(0, at - roomAt) * KEPT_PER_SECOND / 1000);
    roomAt = at;
    return Math.floor(room);
  }

  function writeSoon(): void {
    timer ??= setTimeout(() => writing = writing.then(write), gatherMs);
  }

  return {
    record(delivery) {
      count(delivery.record, delivery.types);
      if (deliveries !== undefined) waiting.add(delivery);
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
