/** Every key in the store. No other file spells one. */
export const keys = {
  /** What holds for the whole installation: the first workspace's id. */
  system: (): Deno.KvKey => ["system"],
  /** A sealed known text: tells a wrong encryption key at the start. */
  encryptionCheck: (): Deno.KvKey => ["encryption_check"],
  workspace: (workspaceId: string): Deno.KvKey => ["workspace", workspaceId],
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
  deliveryBody: (workspaceId: string, id: string): Deno.KvKey => ["delivery_body", workspaceId, id],
  /** A counter of events, for each minute since the epoch. */
  minute: (workspaceId: string, connectorId: string, minute: number): Deno.KvKey => [
    "minute",
    workspaceId,
    connectorId,
    minute,
  ],
  outcomesOf: (workspaceId: string): Deno.KvKey => ["outcome", workspaceId],
  /** A connector's newest event and newest delivery. */
  outcome: (workspaceId: string, connectorId: string): Deno.KvKey => ["outcome", workspaceId, connectorId],
  journalOf: (workspaceId: string): Deno.KvKey => ["journal", workspaceId],
  /** An event, by its place in the order of its workspace's events. */
  journal: (workspaceId: string, position: string): Deno.KvKey => ["journal", workspaceId, position],
  /** Where an event is in the journal. */
  journalPosition: (workspaceId: string, eventId: string): Deno.KvKey => ["journal_position", workspaceId, eventId],
  /** Where the chunks of a value beyond the limit lie, all generations. */
  chunksOf: (key: Deno.KvKey): Deno.KvKey => ["chunk", ...key],
  chunk: (key: Deno.KvKey, generation: string, index: number): Deno.KvKey => ["chunk", ...key, generation, index],
};
