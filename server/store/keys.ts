import { z } from "zod";

/** Every key in the store. No other file spells one. */
export const keys = {
  /** Which schema the store has, and which program gave it that. */
  schema: (): Deno.KvKey => ["schema"],
  /** There while a backup is copied into the store: what is in it is not whole. */
  restoring: (): Deno.KvKey => ["restoring"],
  /** What holds for the whole installation: the first workspace's id. */
  system: (): Deno.KvKey => ["system"],
  /** A sealed known text: tells a wrong encryption key at the start. */
  encryptionCheck: (): Deno.KvKey => ["encryption_check"],
  workspaces: (): Deno.KvKey => ["workspace"],
  workspace: (workspaceId: string): Deno.KvKey => ["workspace", workspaceId],
  workspaceRemovals: (): Deno.KvKey => ["workspace_removal"],
  /** When a workspace was removed: something of it may still be there. */
  workspaceRemoval: (workspaceId: string): Deno.KvKey => ["workspace_removal", workspaceId],
  connectorConfigs: (): Deno.KvKey => ["connector_config"],
  connectorConfigsOf: (workspaceId: string): Deno.KvKey => ["connector_config", workspaceId],
  connectorConfig: (workspaceId: string, connectorId: string): Deno.KvKey => [
    "connector_config",
    workspaceId,
    connectorId,
  ],
  /** Written with every connector config: who holds a view of them sees that it is old. */
  connectorConfigsRevision: (): Deno.KvKey => ["connector_configs_revision"],
  deliveriesOf: (workspaceId: string): Deno.KvKey => ["delivery", workspaceId],
  delivery: (workspaceId: string, id: string): Deno.KvKey => ["delivery", workspaceId, id],
  deliveryBodies: (): Deno.KvKey => ["delivery_body"],
  deliveryBody: (workspaceId: string, id: string): Deno.KvKey => ["delivery_body", workspaceId, id],
  /** A counter of events, for each minute since the epoch. */
  minute: (workspaceId: string, connectorId: string, minute: number): Deno.KvKey => [
    "minute",
    workspaceId,
    connectorId,
    minute,
  ],
  eventCountsOf: (workspaceId: string): Deno.KvKey => ["event_count", workspaceId],
  /** A counter of all events of a type, or of the types that a trigger's pattern stands for. */
  eventCount: (workspaceId: string, trigger: string): Deno.KvKey => ["event_count", workspaceId, trigger],
  outcomesOf: (workspaceId: string): Deno.KvKey => ["outcome", workspaceId],
  /** A connector's newest event and newest delivery. */
  outcome: (workspaceId: string, connectorId: string): Deno.KvKey => ["outcome", workspaceId, connectorId],
  journals: (): Deno.KvKey => ["journal"],
  journalOf: (workspaceId: string): Deno.KvKey => ["journal", workspaceId],
  /** Some events, by their place in the order of their workspace's events, and how many they are. */
  journal: (workspaceId: string, position: string, events: number): Deno.KvKey => [
    "journal",
    workspaceId,
    position,
    events,
  ],
  /** Where an event is in the journal. */
  journalPosition: (workspaceId: string, eventId: string): Deno.KvKey => ["journal_position", workspaceId, eventId],
  journalWriters: (): Deno.KvKey => ["journal_writer"],
  journalWritersOf: (workspaceId: string): Deno.KvKey => ["journal_writer", workspaceId],
  /** The newest place in the journal that a process has written. */
  journalWriter: (workspaceId: string, process: string): Deno.KvKey => ["journal_writer", workspaceId, process],
  /** A session of the dashboard, by the hash of its secret. */
  session: (hash: string): Deno.KvKey => ["session", hash],
  apiKeysOf: (workspaceId: string): Deno.KvKey => ["api_key", workspaceId],
  /** An API key, with the hash of its secret. */
  apiKey: (workspaceId: string, id: string): Deno.KvKey => ["api_key", workspaceId, id],
  /** Which API key has a secret of this hash. */
  apiKeyByHash: (hash: string): Deno.KvKey => ["api_key_by_hash", hash],
  audits: (): Deno.KvKey => ["audit"],
  audit: (id: string): Deno.KvKey => ["audit", id],
  /** Until when somebody has a lease; the first part of its name is the workspace. */
  lease: (name: readonly string[]): Deno.KvKey => ["lease", ...name],
  /** Written when a lease is acquired, and not when it is renewed: what is written under a lease checks it. */
  leaseFence: (name: readonly string[]): Deno.KvKey => ["lease_fence", ...name],
  pollerStates: (): Deno.KvKey => ["poller_state"],
  pollerState: (workspaceId: string, connectorId: string): Deno.KvKey => ["poller_state", workspaceId, connectorId],
  /** That a delivery was accepted. */
  accepted: (workspaceId: string, deliveryKey: string): Deno.KvKey => ["accepted", workspaceId, deliveryKey],
  spool: (): Deno.KvKey => ["spool"],
  spoolOf: (workspaceId: string): Deno.KvKey => ["spool", workspaceId],
  /** Events that wait for the broker, by their place in the order of their workspace. */
  spoolEntry: (workspaceId: string, position: number): Deno.KvKey => ["spool", workspaceId, position],
  spoolSizes: (): Deno.KvKey => ["spool_size"],
  /** A counter of what a workspace has in the spool: its events there, its dead letters, or the bytes of both. */
  spoolSize: (workspaceId: string, counter: "events" | "bytes" | "deadLetters"): Deno.KvKey => [
    "spool_size",
    workspaceId,
    counter,
  ],
  /** Who empties the spool. */
  spoolClaim: (): Deno.KvKey => ["spool_claim"],
  deadLetters: (): Deno.KvKey => ["dead_letter"],
  deadLettersOf: (workspaceId: string): Deno.KvKey => ["dead_letter", workspaceId],
  deadLetter: (workspaceId: string, id: string): Deno.KvKey => ["dead_letter", workspaceId, id],
  /** Where the chunks of a value beyond the limit lie, all generations. */
  chunksOf: (key: Deno.KvKey): Deno.KvKey => ["chunk", ...key],
  chunk: (key: Deno.KvKey, generation: string, index: number): Deno.KvKey => ["chunk", ...key, generation, index],
  /** Where nothing is ever stored: to try whether the store can be written. */
  neverThere: (): Deno.KvKey => ["never_there"],
  /** What kind of record a key is of, or is a chunk of: the first part of the record's key. */
  kindOf: (key: Deno.KvKey): Deno.KvKeyPart | undefined => key[0] === "chunk" ? key[1] : key[0],
  /** Prefixes of all kinds that hold sealed values, but for the check: a change of the encryption key seals them anew. */
  sealed: (): Deno.KvKey[] => [
    keys.connectorConfigs(),
    keys.deliveryBodies(),
    keys.spool(),
    keys.deadLetters(),
    keys.journals(),
    keys.pollerStates(),
  ],
  /** Prefixes of all that is in a workspace: whatever is added here is removed with it. */
  everythingOf: (workspaceId: string): Deno.KvKey[] => {
    const kinds = WORKSPACE_KINDS.map((kind) => [kind, workspaceId]);
    return [...kinds, ...kinds.map((key) => ["chunk", ...key])];
  },
  /** Keys elsewhere by which the record at `key` is found, to be removed with it. */
  indexesOf: (key: Deno.KvKey, value: unknown): Deno.KvKey[] => {
    const hash = key[0] === "api_key" && value instanceof Uint8Array ? hashIn(value) : undefined;
    return hash === undefined ? [] : [keys.apiKeyByHash(hash)];
  },
};

const hashedSchema = z.object({ hash: z.string() });

/** `undefined` of a record that cannot be read: it is removed all the same, and what is left then leads nowhere. */
function hashIn(record: Uint8Array): string | undefined {
  try {
    return hashedSchema.safeParse(JSON.parse(new TextDecoder().decode(record))).data?.hash;
  } catch {
    return undefined;
  }
}

/** Kinds of records whose second part is the workspace. */
const WORKSPACE_KINDS = [
  "connector_config",
  "delivery",
  "delivery_body",
  "minute",
  "event_count",
  "outcome",
  "journal",
  "journal_position",
  "journal_writer",
  "api_key",
  "lease",
  "lease_fence",
  "poller_state",
  "accepted",
  "spool",
  "spool_size",
  "dead_letter",
] as const;
