import type { NormalizedEvent } from "@inlet/events-core";

/** An event with its JSON, serialized once for the broker, the live stream and whoever else needs it. */
export interface SerializedEvent {
  readonly event: NormalizedEvent;
  readonly json: string;
  /** The trace that the event belongs to, as a `traceparent` (https://www.w3.org/TR/trace-context/); absent without traces. */
  readonly traceparent?: string;
}

/** What became of published events: each was confirmed or is stored. */
export interface Confirmation {
  /** How many the broker confirmed. */
  readonly published: number;
  /** How many of them no queue was bound for. */
  readonly unrouted: number;
  /** How many are in the spool: stored durably, and published by themselves when the broker takes them. */
  readonly queued: number;
}

/** Names a delivery of a source for as long as a repeat of it is to be recognized. */
export interface DeliveryKey {
  readonly workspaceId: string;
  /** The same for each copy of a delivery, and for no other delivery. */
  readonly id: string;
}

/** What a publisher can say beside the events. */
export interface PublishOptions {
  /** How long the publisher can wait for the broker's confirm, in milliseconds; events are spooled then. */
  readonly patienceMs?: number | undefined;
  /** The delivery that the events come from: recorded as accepted together with their confirm or their being stored. */
  readonly delivery?: DeliveryKey | undefined;
}

/** The deliveries that were accepted within the window in which a repeat is recognized. */
export interface AcceptedDeliveries {
  /** Whether the delivery was accepted, by whatever process. */
  has(delivery: DeliveryKey): Promise<boolean>;
  /** Resolves when that is stored. */
  record(delivery: DeliveryKey): Promise<void>;
}

/** Whether a part of the service works, in words for an operator. */
export interface Health {
  readonly ok: boolean;
  readonly detail: string;
}

/**
 * The recent events of each workspace, in order, for streams to resume from: bounded by age and number.
 */
export interface Journal {
  /**
   * Resolves when the events are stored, and `delivery` as accepted with them. An event that is there already keeps its
   * place.
   */
  append(events: readonly SerializedEvent[], delivery?: DeliveryKey): Promise<void>;
  /** Resolves when all that is too much or too old to keep, of what was appended before, is deleted. */
  idle(): Promise<void>;
  /** Whether the journal still has the event. */
  has(workspaceId: string, eventId: string): Promise<boolean>;
  /**
   * The ids and JSON of the events after the one with `eventId`, in order; all that there are without one. What other
   * processes than that event's wrote begins some seconds before it, so that whoever had a stream of all processes misses
   * nothing: of theirs, some may come again. They are read as they are asked for: an event before which others became too
   * old or too many meanwhile comes `afterGap`.
   */
  after(
    workspaceId: string,
    eventId: string | undefined,
  ): AsyncIterable<{ readonly id: string; readonly json: string; readonly afterGap: boolean }>;
  /**
   * Follows what other processes write for a workspace from now on. Each call of what it gives reads what they wrote since
   * the last one, but for the events that `isKnown` knows. Where the store cannot be read now, it begins some seconds ago.
   */
  follow(workspaceId: string): Promise<Follow>;
}

/** Gives the events, each process's in order, that other processes wrote since the last call. */
export type Follow = (
  isKnown: (eventId: string) => boolean,
) => AsyncIterable<{ readonly id: string; readonly json: string }>;

/** Says that another process announced the events that a {@link Listener} is given. */
export interface Told {
  /** Names that process. */
  readonly by: string;
  /** Whether others of it that came before these may not have been told of here: the journal has them. */
  readonly afterGap: boolean;
}

/** Is given events, those of each process in the order in which it announced them. This process's come without `told`. */
export type Listener = (events: readonly SerializedEvent[], told?: Told) => void;

/** Brings published events to live streams: those of this process, and of the others on the same exchange. */
export interface Live {
  /**
   * Gives events to the listeners of all processes. Does not wait, and does not fail. To be called when the journal has them:
   * whoever has an event resumes after it.
   */
  announce(events: readonly SerializedEvent[]): void;
  /**
   * Calls `listener` for every event announced from now on, by whatever process, each once. Resolves when that is so, with
   * a function that ends it. What is lost between processes is not told of, and the next event then comes `afterGap`.
   */
  subscribe(listener: Listener): Promise<() => void>;
}

/** The topic exchange that consumers bind to. */
export interface Exchange {
  /**
   * Publishes events of one workspace in order. Resolves when each is confirmed, or stored where there is a spool.
   *
   * @throws {BrokerUnavailableError} if not all were: some may be published, and a repeat has the same ids
   * @throws {SpoolFullError} likewise, where there is a spool
   * @throws {EventTooLargeError} if the broker would never take one; nothing is published then
   */
  publish(events: readonly SerializedEvent[], options?: PublishOptions): Promise<Confirmation>;
  health(): Health;
  /** How many events no queue was bound for, since the start. */
  unrouted(): number;
  /** Waits for confirms under way, then disconnects. */
  close(): Promise<void>;
}

/** An exchange on a message broker, which can be away. It waits for confirms for as long as its connection lives. */
export interface Broker extends Exchange {
  readonly live: Live;
  /** @throws {EventTooLargeError} if the broker would never take one of the events */
  refuseTooLarge(events: readonly SerializedEvent[]): void;
  /** Calls `listener` whenever {@link Exchange.health} may have changed. */
  onHealth(listener: () => void): void;
}

/** An exchange with a spool before it: what the broker does not confirm in time is stored, and published later. */
export interface SpoolingExchange extends Exchange {
  /** The spool's state; not `ok` if it takes no events, or cannot be emptied though there is a broker. */
  spool(): Promise<SpoolHealth>;
  /** From now on nobody waits for a confirm longer than `graceMs`: what waits then is spooled. */
  hurry(graceMs: number): void;
  /** To be called when something was put into the spool by another way. */
  wake(): void;
}

/** The state of the spool, for an operator. */
export interface SpoolHealth extends Health {
  /** Whether it has room, and can be written. What else keeps it from being emptied does not keep it from taking events. */
  readonly takesEvents: boolean;
  /** Events that wait to be published. */
  readonly entries: number;
  /** Bytes that count towards the limit: of those events, and of the dead letters. */
  readonly bytes: number;
  /** The same in figures; `undefined` if the spool cannot be read. */
  readonly state: SpoolState | undefined;
}

/** What the spool holds, of all processes on one store. */
export interface SpoolState {
  readonly events: number;
  /** Of the events that wait and of the dead letters, as JSON. */
  readonly bytes: number;
  /** Events among them that were set aside. */
  readonly deadLetters: number;
  readonly limitBytes: number;
  /** When the oldest event that waits was stored; `undefined` if none waits. */
  readonly oldestAt: Date | undefined;
}

/** Events that were stored together. */
export interface SpoolEntry {
  readonly workspaceId: string;
  /** Orders the entries of a workspace. */
  readonly position: number;
  readonly events: readonly SerializedEvent[];
}

/** What is left of an entry when some of its events are published. */
export interface SpoolRest {
  readonly entry: SpoolEntry;
  /** Those that still have to be. */
  readonly left: readonly SerializedEvent[];
  /** Those that the broker does not take, with the reason: they become dead letters. */
  readonly dead: readonly { readonly event: SerializedEvent; readonly reason: string }[];
}

/**
 * Events that wait for the broker, durably, in order for each workspace. Sealed on disk. Bounded in bytes.
 */
export interface Spool {
  /**
   * Stores events of one workspace behind those that it has here, all or none, and `delivery` as accepted with them.
   *
   * @throws {SpoolFullError} if they do not fit
   */
  append(events: readonly SerializedEvent[], delivery?: DeliveryKey): Promise<void>;
  /** Whether events of the workspace are here, stored by whatever process or about to be stored by this one. */
  holds(workspaceId: string): Promise<boolean>;
  /** Rejects with the reason if nothing can be stored at this moment: the disk is full, say. */
  tryToWrite(): Promise<void>;
  /** The workspaces that have events here. */
  workspaces(): Promise<string[]>;
  state(): Promise<SpoolState>;
  /** Takes the right to empty the spool for some seconds; `undefined` while another process has it. */
  claim(): Promise<SpoolClaim | undefined>;
}

/** The right to empty the spool, which one process has at a time. Whoever does not use it for some seconds loses it. */
export interface SpoolClaim {
  /** A workspace's oldest entries, in order: few enough to be held in memory. */
  oldest(workspaceId: string): Promise<SpoolEntry[]>;
  /** Writes what became of entries, of each all or nothing, in order; `false` if the right was lost, and no more was written. */
  settle(rests: readonly SpoolRest[]): Promise<boolean>;
  /** Keeps the right for longer; `false` if it was lost. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

/** An event that the broker does not take, set aside so that it keeps no other from being published. */
export interface DeadLetter {
  /** A UUIDv7 (RFC 9562): ids sort by time. */
  readonly id: string;
  readonly workspaceId: string;
  readonly eventId: string;
  readonly type: string;
  /** Why the broker did not take it. */
  readonly reason: string;
  /** When it was set aside. */
  readonly at: Date;
  /** Of the event as JSON. */
  readonly bytes: number;
}

/** The dead letters of all workspaces. They count towards the spool's limit. */
export interface DeadLetters {
  /** Newest first; those before the dead letter `before`, if given. */
  list(workspaceId: string, page: { readonly limit: number; readonly before?: string }): Promise<DeadLetter[]>;
  /** How many a workspace has. */
  count(workspaceId: string): Promise<number>;
  /** Ids, oldest first; those up to the dead letter `upTo`, if given. */
  oldest(workspaceId: string, page: { readonly limit: number; readonly upTo?: string | undefined }): Promise<string[]>;
  /** Puts the event back into the spool, behind what is there; `false` if there is no such dead letter. */
  retry(workspaceId: string, id: string): Promise<boolean>;
  /** Deletes the event for good; `false` if there is no such dead letter. */
  discard(workspaceId: string, id: string): Promise<boolean>;
}
