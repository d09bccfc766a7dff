export type * from "./publishing.ts";

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
  /** All of them, oldest first. */
  list(): Promise<Workspace[]>;
  /** Adds one. */
  create(workspace: Workspace): Promise<void>;
  /** Gives the renamed workspace, `undefined` if there is none. */
  rename(workspaceId: string, name: string): Promise<Workspace | undefined>;
  /**
   * Removes a workspace with all that is stored of it. `onUnregistered` is called in between, when it cannot be found any
   * more, and before its data goes.
   */
  remove(workspaceId: string, onUnregistered: () => Promise<void>): Promise<void>;
  /** Goes on with removals that a process did not live to end, and removes what others wrote into removed workspaces since. */
  finishRemovals(): Promise<void>;
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
  /** What these secrets and this token replaced, each accepted until a time. */
  readonly retiring: { readonly secrets: Record<string, unknown>; readonly until: Date } | null;
  readonly retiringToken: { readonly token: string; readonly until: Date } | null;
}

/** A stored value with the version it was read at. Versions of one store are ordered as strings. */
export interface Versioned<T> {
  readonly value: T;
  readonly version: string;
}

/** The connector configs of all workspaces; secrets and tokens are sealed on disk. */
export interface ConnectorConfigStore {
  /** @throws {UnreadableSettingsError} if it is damaged, or was sealed with a key that is not here */
  get(workspaceId: string, connectorId: string): Promise<Versioned<ConnectorConfig> | undefined>;
  /** Every config, or those of one workspace. */
  list(workspaceId?: string): Promise<Versioned<ConnectorConfig>[]>;
  /**
   * Writes `next` if the stored version still is `expected` (`null`: if there is none yet).
   * Gives what is stored now, or `undefined` if somebody else wrote first, or removed the workspace.
   */
  save(next: ConnectorConfig, expected: string | null): Promise<Versioned<ConnectorConfig> | undefined>;
  /** Changes with every save, by whatever process. */
  revision(): Promise<string>;
  /** Yields after saves, also of other processes where the database tells of them (a local file does not). */
  changes(signal: AbortSignal): AsyncIterable<void>;
}

/**
 * Seals bytes so that only the holder of the key reads them, and only in the context they were sealed for. While a key is
 * being replaced, what was sealed with the old one is read too.
 */
export interface Sealer {
  /** `context` is authenticated, not stored: the same must be given to {@link unseal}. */
  seal(plain: Uint8Array<ArrayBuffer>, context: string): Promise<Uint8Array<ArrayBuffer>>;
  /** @throws {EncryptionKeyError} if the key or the context is another, or the bytes were changed */
  unseal(sealed: Uint8Array<ArrayBuffer>, context: string): Promise<Uint8Array<ArrayBuffer>>;
  /** Whether a value was sealed with the present key. */
  isCurrent(sealed: Uint8Array): boolean;
}

/** The opaque tokens in webhook URLs. */
export interface Tokens {
  /** A new, unguessable, URL-safe token. */
  issue(): string;
  /** A one-way hash to look tokens up by, so that no comparison of tokens can be timed. */
  hash(token: string): string;
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
  /** How many were stored in the spool, to be published later. */
  readonly queued: number;
  /** Whether it had been accepted before, so that nothing was published. */
  readonly duplicate: boolean;
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

/** Which deliveries are meant: those for which all of this is true. */
export interface DeliveryFilter {
  readonly connectorId?: string | undefined;
  /** Only those that were refused. */
  readonly refused?: boolean | undefined;
  /** An id of the delivery, or of one of its events, as far as the record has them. */
  readonly id?: string | undefined;
}

/** The deliveries of late, per workspace: bounded by age and number. Kept bodies are sealed on disk. */
export interface DeliveryStore {
  append(record: DeliveryRecord, body: Uint8Array<ArrayBuffer> | undefined): Promise<void>;
  /** Newest first; those before the record `before`, if given. */
  list(
    workspaceId: string,
    page: DeliveryFilter & { readonly limit: number; readonly before?: string },
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

/** Counts of events by minute and by type, and the newest outcome, per workspace and connector; summed over all processes. */
export interface ActivityStore {
  /** Adds deliveries of one connector: the events of each minute, and the newest delivery. */
  add(change: ActivityChange): Promise<void>;
  /** All connectors of a workspace that ever did anything. */
  read(workspaceId: string, now: Date): Promise<ConnectorActivity[]>;
  /** How many events of each type a workspace ever had, by trigger: types of which one pattern stands for count as one. */
  eventCounts(workspaceId: string): Promise<ReadonlyMap<string, number>>;
}

/** Deliveries of one connector of a workspace, summed up. */
export interface ActivityChange {
  readonly workspaceId: string;
  readonly connectorId: string;
  /** Number of events by the minute they were accepted in, in minutes since the epoch. */
  readonly events: ReadonlyMap<number, number>;
  /** Number of events by trigger. */
  readonly triggers: ReadonlyMap<string, number>;
  /** When the newest event came, `null` if there is none among them. */
  readonly lastEventAt: Date | null;
  readonly newest: Pick<DeliveryRecord, "receivedAt" | "status" | "refusal">;
}

/** A session of the dashboard, without its secret. */
export interface StoredSession {
  /** Hash of the secret that the browser keeps. */
  readonly hash: string;
  /** Hash of the admin token that it was opened with. */
  readonly opener: string;
  readonly expiresAt: Date;
}

/** The dashboard's sessions. */
export interface SessionStore {
  create(session: StoredSession): Promise<void>;
  find(hash: string): Promise<StoredSession | undefined>;
  remove(hash: string): Promise<void>;
}

/** An API key of a workspace, without its secret. */
export interface ApiKey {
  readonly id: string;
  readonly workspaceId: string;
  /** What people call it. */
  readonly name: string;
  readonly scope: "read" | "manage";
  readonly createdAt: Date;
}

/** The API keys of all workspaces. Only hashes of the keys are stored. */
export interface ApiKeyStore {
  /** Adds a key whose secret has this hash. */
  create(key: ApiKey, hash: string): Promise<void>;
  /** The key whose secret has this hash. */
  find(hash: string): Promise<ApiKey | undefined>;
  /** The keys of a workspace, oldest first. */
  list(workspaceId: string): Promise<ApiKey[]>;
  /** Revokes a key; `false` if there is none. */
  remove(workspaceId: string, id: string): Promise<boolean>;
}

/** What is written in the audit. */
export const AUDIT_ACTIONS = [
  "signed in",
  "failed to sign in",
  "completed the setup",
  "created the workspace",
  "renamed the workspace",
  "removed the workspace",
  "made the API key",
  "revoked the API key",
  "configured",
  "made a new webhook URL for",
  "published again",
  "sent a test event to",
  "polled",
  "retried the dead letter",
  "retried",
  "discarded the dead letter",
  "replaced",
] as const;

/** Something that a person or a program changed, or tried to. Nothing in it is a secret or a payload. */
export interface AuditEntry {
  /** A UUIDv7 (RFC 9562): ids sort by time. */
  readonly id: string;
  readonly at: Date;
  /** Who did it: `admin`, `local` or the name of an API key. */
  readonly by: string;
  readonly action: (typeof AUDIT_ACTIONS)[number];
  /** The workspace it was done in; `null` for what concerns the whole installation. */
  readonly workspaceId: string | null;
  /** What it was done to, such as a connector's id or a name. */
  readonly subject: string;
  /** More in words, such as the names of the settings that were changed; may be empty. */
  readonly detail: string;
}

/** The account of changes. Entries are only ever added; they outlive their workspace. */
export interface AuditStore {
  append(entry: AuditEntry): Promise<void>;
  /** Newest first; those before the entry `before`, and of one workspace, if given. */
  list(page: {
    readonly limit: number;
    readonly before?: string | undefined;
    readonly workspaceId?: string | undefined;
  }): Promise<AuditEntry[]>;
}
