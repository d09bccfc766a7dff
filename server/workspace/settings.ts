import type { z } from "zod";
import { type Fault, faultsOf, type WebhookConnector } from "../../connectors/kit/mod.ts";
import type { ConnectorConfig, ConnectorConfigStore, Tokens, Versioned, WorkspaceStore } from "../deps.ts";
import { ConflictError, InvalidInputError, NotFoundError } from "../errors.ts";
import { requireWorkspace } from "./setup.ts";

/** What everybody who may see a connector's settings sees: no secret, only whether there is one. */
export interface SettingsView {
  readonly enabled: boolean;
  readonly hasSecrets: boolean;
  /** Names of the secrets that are set. */
  readonly secretNames: readonly string[];
  /** `null` until the connector was configured for the first time. */
  readonly webhookUrl: string | null;
  readonly config: Record<string, unknown>;
}

/** A change of a connector's settings. */
export interface SettingsChange {
  readonly workspaceId: string;
  readonly connectorId: string;
  readonly enabled: boolean;
  /** Replaces the stored config whole; left out, that stays. */
  readonly config?: Record<string, unknown> | undefined;
  /** Per secret: a value replaces, `null` clears, left out stays. */
  readonly secrets?: Record<string, unknown> | undefined;
}

/** The settings of connectors, per workspace. */
export interface ConnectorSettings {
  /** @throws {NotFoundError} if the connector or the workspace is unknown */
  view(workspaceId: string, connectorId: string): Promise<SettingsView>;
  /**
   * Saves a change, whole or not at all, and gives the webhook URL, which stays the same from the first time on. When it
   * resolves, deliveries here are treated accordingly.
   *
   * @throws {NotFoundError} if the connector or the workspace is unknown
   * @throws {InvalidInputError} if config or secrets do not fit, or a secret is missing that enabling needs
   */
  configure(change: SettingsChange): Promise<string>;
  /**
   * Gives the connector a new webhook URL; the old one is unknown from then on.
   *
   * @throws {NotFoundError} if the connector or the workspace is unknown
   * @throws {ConflictError} if the connector was never configured
   */
  renewUrl(workspaceId: string, connectorId: string): Promise<string>;
}

/** How often a save starts over when somebody else saved in between. */
const SAVE_ATTEMPTS = 20;

/** What {@link createConnectorSettings} works with. */
export interface ConnectorSettingsParts {
  readonly connectors: ReadonlyMap<string, WebhookConnector>;
  readonly workspaces: WorkspaceStore;
  readonly connectorConfigs: ConnectorConfigStore;
  readonly tokens: Tokens;
  /** Base of webhook URLs, without a trailing slash. */
  readonly publicUrl: string;
  /** Told of each save, before {@link ConnectorSettings.configure} resolves. */
  onSaved(config: Versioned<ConnectorConfig>): void;
}

/** Makes the settings use-case over a store. */
export function createConnectorSettings(parts: ConnectorSettingsParts): ConnectorSettings {
  const { connectors, workspaces, connectorConfigs, tokens, publicUrl, onSaved } = parts;

  const urlOf = ({ connectorId, webhookToken }: ConnectorConfig) =>
    `${publicUrl}/webhooks/${connectorId}/${webhookToken}`;

  async function requireBoth(workspaceId: string, connectorId: string): Promise<WebhookConnector> {
    const connector = requireConnector(connectors, connectorId);
    await requireWorkspace(workspaces, workspaceId);
    return connector;
  }

  /** Saves what `change` makes of the stored config, and again if somebody else saved in between. */
  async function save(
    workspaceId: string,
    connectorId: string,
    change: (stored: ConnectorConfig | undefined) => ConnectorConfig,
  ): Promise<string> {
    for (let attempt = 0; attempt < SAVE_ATTEMPTS; attempt++) {
      const stored = await connectorConfigs.get(workspaceId, connectorId);
      const saved = await connectorConfigs.save(change(stored?.value), stored?.version ?? null);
      if (saved === undefined) continue;
      onSaved(saved);
      return urlOf(saved.value);
    }
    throw new ConflictError("Cannot save: others kept saving the same connector at the same time; try again");
  }

  return {
    async view(workspaceId, connectorId) {
      await requireBoth(workspaceId, connectorId);
      const stored = (await connectorConfigs.get(workspaceId, connectorId))?.value;
      if (stored === undefined) {
        return { enabled: false, hasSecrets: false, secretNames: [], webhookUrl: null, config: {} };
      }
      const secretNames = Object.keys(stored.secrets);
      return {
        enabled: stored.enabled,
        hasSecrets: secretNames.length > 0,
        secretNames,
        webhookUrl: urlOf(stored),
        config: stored.config,
      };
    },
    async configure(change) {
      const { workspaceId, connectorId, enabled } = change;
      const connector = await requireBoth(workspaceId, connectorId);
      return await save(workspaceId, connectorId, (stored) => {
        const config = change.config ?? stored?.config ?? {};
        const secrets = mergeSecrets(stored?.secrets ?? {}, change.secrets ?? {});
        check(connector, { enabled, config, secrets });
        const webhookToken = stored?.webhookToken ?? tokens.issue();
        return { workspaceId, connectorId, enabled, config, secrets, webhookToken };
      });
    },
    async renewUrl(workspaceId, connectorId) {
      await requireBoth(workspaceId, connectorId);
      return await save(workspaceId, connectorId, (stored) => {
        if (stored !== undefined) return { ...stored, webhookToken: tokens.issue() };
        throw new ConflictError(`Cannot make a new URL: ${connectorId} has none, configure it first`);
      });
    },
  };
}

/** @throws {NotFoundError} if there is no connector `connectorId` */
export function requireConnector(
  connectors: ReadonlyMap<string, WebhookConnector>,
  connectorId: string,
): WebhookConnector {
  const connector = connectors.get(connectorId);
  if (connector !== undefined) return connector;
  throw new NotFoundError(
    `Cannot find connector ${JSON.stringify(connectorId)}: GET /connectors lists those there are`,
  );
}

function mergeSecrets(stored: Record<string, unknown>, change: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries({ ...stored, ...change }).filter(([, value]) => value !== null));
}

/** Checks against the connector's schemas; a disabled connector may still lack secrets. */
function check(
  { configSchema, secretsSchema }: WebhookConnector,
  { enabled, config, secrets }: Pick<ConnectorConfig, "enabled" | "config" | "secrets">,
): void {
  const faults = [
    ...faultsBelow("/config", configSchema, config),
    ...faultsBelow("/secrets", enabled ? secretsSchema : secretsSchema.partial(), secrets),
  ];
  if (faults.length > 0) throw new InvalidInputError("Cannot save: the settings do not fit the connector", faults);
}

function faultsBelow(base: string, schema: z.ZodType, value: unknown): Fault[] {
  const parsed = schema.safeParse(value, {
    error: (issue) => issue.input === undefined ? "is required" : undefined,
  });
  if (parsed.success) return [];
  return faultsOf(parsed.error).map(({ pointer, detail }) => ({ pointer: `${base}${pointer}`, detail }));
}
