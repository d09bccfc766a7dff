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
