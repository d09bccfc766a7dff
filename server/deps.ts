import type { NormalizedEvent } from "@inlet/events-core";

/** A tenant: connectors, events and streams belong to exactly one. */
export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
}

/** The registry of workspaces. */
export interface WorkspaceStore {
  /** Creates the first workspace, atomically; `false` if there is one already, and then nothing is written. */
  createFirst(workspace: Workspace): Promise<boolean>;
  /** The workspace that setup created, `undefined` before. */
  first(): Promise<Workspace | undefined>;
  get(workspaceId: string): Promise<Workspace | undefined>;
}

/** What one workspace has set for one connector, secrets in the clear: it never leaves the process as it is. */
export interface ConnectorConfig {
  readonly workspaceId: string;
  readonly connectorId: string;
  readonly enabled: boolean;
  readonly config: Record<string, unknown>;
  readonly secrets: Record<string, unknown>;
  /** The opaque part of the webhook URL. */
  readonly webhookToken: string;
}

/** A stored value with the version it was read at. Versions of one store are ordered as strings. */
export interface Versioned<T> {
  readonly value: T;
  readonly version: string;
}

/** The connector configs of all workspaces; secrets and tokens are sealed on disk. */
export interface ConnectorConfigStore {
  get(workspaceId: string, connectorId: string): Promise<Versioned<ConnectorConfig> | undefined>;
  /** Every config, or those of one workspace. */
  list(workspaceId?: string): Promise<Versioned<ConnectorConfig>[]>;
  /**
   * Writes `next` if the stored version still is `expected` (`null`: if there is none yet).
   * Gives what is stored now, or `undefined` if somebody else wrote first.
   */
  save(next: ConnectorConfig, expected: string | null): Promise<Versioned<ConnectorConfig> | undefined>;
  /** Changes with every save, by whatever process. */
  revision(): Promise<string>;
  /** Yields after saves, also of other processes where the database tells of them (a local file does not). */
  changes(signal: AbortSignal): AsyncIterable<void>;
}

/** Seals bytes so that only the holder of the key reads them, and only in the context they were sealed for. */
export interface Sealer {
  /** `context` is authenticated, not stored: the same must be given to {@link unseal}. */
  seal(plain: Uint8Array<ArrayBuffer>, context: string): Promise<Uint8Array<ArrayBuffer>>;
  /** @throws {EncryptionKeyError} if the key or the context is another, or the bytes were changed */
  unseal(sealed: Uint8Array<ArrayBuffer>, context: string): Promise<Uint8Array<ArrayBuffer>>;
}

/** The opaque tokens in webhook URLs. */
export interface Tokens {
  /** A new, unguessable, URL-safe token. */
  issue(): string;
  /** A one-way hash to look tokens up by, so that no comparison of tokens can be timed. */
  hash(token: string): string;
}

/** An event with its JSON, serialized once for the broker, the live stream and whoever else needs it. */
export interface SerializedEvent {
  readonly event: NormalizedEvent;
  readonly json: string;
}

/** What became of published events. */
export interface Confirmation {
  /** How many the broker confirmed: all that were given. */
  readonly published: number;
  /** How many of them no queue was bound for. */
  readonly unrouted: number;
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
  /** Resolves when the events are stored. One that is there already keeps its place. */
  append(events: readonly SerializedEvent[]): Promise<void>;
  /** Resolves when all that was appended before is stored. */
  settled(): Promise<void>;
  /** Whether the journal still has the event. */
  has(workspaceId: string, eventId: string): Promise<boolean>;
  /** The ids and JSON of the events after the one with `eventId`, in order; all that there are without one. */
  after(
    workspaceId: string,
    eventId: string | undefined,
  ): AsyncIterable<{ readonly id: string; readonly json: string }>;
}

/** The topic exchange that consumers bind to. */
export interface Exchange {
  /**
   * Publishes events in order and resolves when all of them are confirmed.
   *
   * @throws {BrokerUnavailableError} if not all were: some may be published, and a repeat has the same ids
   */
  publish(events: readonly SerializedEvent[]): Promise<Confirmation>;
  /**
   * Calls `listener` for every event published from now on, by this process or another on the same exchange, each once.
   * Resolves when that is so, with a function that ends it.
   */
  subscribe(listener: (events: readonly SerializedEvent[]) => void): Promise<() => void>;
  health(): Health;
  /** How many events no queue was bound for, since the start. */
  unrouted(): number;
  /** Waits for confirms under way, then disconnects. */
  close(): Promise<void>;
}

/** What became of one delivery, for people to look at. Nothing in it is a secret, a signature or a payload. */
export interface DeliveryRecord {
  /** A UUIDv7 (RFC 9562): ids sort by time. */
  readonly id: string;
  readonly workspaceId: string;
  readonly connectorId: string;
  readonly receivedAt: Date;
  /** The source's id of the delivery; `null` if it was refused before that was known. */
  readonly deliveryId: string | null;
  /** The HTTP status of the answer. */
  readonly status: number;
  /** Why it was refused, in words; `null` if it was accepted. */
  readonly refusal: string | null;
  /** How many events the broker confirmed. */
  readonly published: number;
  /** The events it became, with their types; the first fifty of them. */
  readonly events: readonly { readonly id: string; readonly type: string }[];
  readonly durationMs: number;
  /** `null` if the body was not read. */
  readonly bodyBytes: number | null;
  /** The headers that may be shown. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the body was kept: only an authentic one is, and none over the limit. */
  readonly bodyKept: boolean;
}

/** The deliveries of late, per workspace: bounded by age and number. Kept bodies are sealed on disk. */
export interface DeliveryStore {
  append(record: DeliveryRecord, body: Uint8Array<ArrayBuffer> | undefined): Promise<void>;
  /** Newest first; those before the record `before`, if given, and of one connector, if given. */
  list(
    workspaceId: string,
    page: { readonly limit: number; readonly before?: string; readonly connectorId?: string },
  ): Promise<DeliveryRecord[]>;
  get(workspaceId: string, id: string): Promise<DeliveryRecord | undefined>;
  /** The kept body. */
  body(workspaceId: string, id: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
}

/** What a connector of a workspace has done of late. */
export interface ConnectorActivity {
  readonly connectorId: string;
  /** Events per minute (UTC) of the last hour, oldest first: 60 numbers, the last for the present minute. */
  readonly perMinute: readonly number[];
  readonly lastEventAt: Date | null;
  /** The newest delivery, if it was refused. */
  readonly refusal: { readonly at: Date; readonly status: number; readonly reason: string } | null;
}

/** Counts of events by minute, and the newest outcome, per workspace and connector; summed over all processes. */
export interface ActivityStore {
  /** Adds deliveries of one connector: the events of each minute, and the newest delivery. */
  add(change: ActivityChange): Promise<void>;
  /** All connectors of a workspace that ever did anything. */
  read(workspaceId: string, now: Date): Promise<ConnectorActivity[]>;
}

/** Deliveries of one connector of a workspace, summed up. */
export interface ActivityChange {
  readonly workspaceId: string;
  readonly connectorId: string;
  /** Number of events by the minute they were published in, in minutes since the epoch. */
  readonly events: ReadonlyMap<number, number>;
  /** When the newest event came, `null` if there is none among them. */
  readonly lastEventAt: Date | null;
  readonly newest: Pick<DeliveryRecord, "receivedAt" | "status" | "refusal">;
}
