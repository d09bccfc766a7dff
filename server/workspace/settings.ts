import type { Audit, AuditNote } from "../audit/audit.ts";
import type { Connector } from "../../connectors/kit/mod.ts";
import type { ConnectorConfig, ConnectorConfigStore, Tokens, Versioned, WorkspaceStore } from "../deps.ts";
import type { PollerStateStore } from "../poller/deps.ts";
import { ConflictError, InvalidInputError, NotFoundError, UnreadableSettingsError } from "../errors.ts";
import { requireSecretsAnew } from "./kept_secrets.ts";
import {
  liveRetirements,
  overlapEnd,
  type Replaceable,
  retirementsAfter,
  retirementsWithout,
  retiringUntil,
} from "./overlap.ts";
import { type PollerView, pollerView } from "./polling.ts";
import { requireWorkspace } from "./setup.ts";

/** What everybody who may see a connector's settings sees: no secret, only whether there is one. */
export interface SettingsView {
  readonly enabled: boolean;
  readonly hasSecrets: boolean;
  /** Names of the secrets that are set. */
  readonly secretNames: readonly string[];
  /** Whether it was ever configured. */
  readonly configured: boolean;
  /** Why what is stored cannot be read, and what to do; the rest is then as if there were nothing. `null`: it can be. */
  readonly problem: string | null;
  /** `null` until the connector was configured for the first time, and for a poller, which nobody calls. */
  readonly webhookUrl: string | null;
  readonly config: Record<string, unknown>;
  /** How its polling goes; `null` for a webhook connector. */
  readonly poller: PollerView | null;
  /** Until when the secrets, and the URL, that were replaced are accepted beside the new; `null` if none are. */
  readonly retiringUntil: Readonly<Record<Replaceable, Date | null>>;
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
  /**
   * How long the former secrets are accepted if this replaces or clears one of them, in milliseconds; default 0: not at
   * all. Any that were retiring already are void then.
   */
  readonly keepOldSecretsForMs?: number | undefined;
}

/** The settings of connectors, per workspace. */
export interface ConnectorSettings {
  /** @throws {NotFoundError} if the connector or the workspace is unknown */
  view(workspaceId: string, connectorId: string): Promise<SettingsView>;
  /**
   * Saves a change, whole or not at all, and gives the webhook URL, which stays the same from the first time on; `null`
   * for a poller. What is stored and damaged is replaced by a change that has a config and all secrets that it needs. When
   * it resolves, deliveries here are treated accordingly, and a poller is due. Off, a connector accepts nothing: what was
   * retiring is void.
   *
   * @throws {NotFoundError} if the connector or the workspace is unknown
   * @throws {UnreadableSettingsError} if what is stored cannot be read, and the change does not replace it
   * @throws {InvalidInputError} if config or secrets do not fit, a secret is missing that enabling needs, or old secrets
   *   cannot be kept for so long
   */
  configure(change: SettingsChange): Promise<string | null>;
  /**
   * Gives the connector a new webhook URL; the old one is unknown `keepOldForMs` (default 0) later. One that was retiring
   * already is unknown at once. Where the present one is not `replaces` any more, that stays as it is, so that who asks twice
   * does not end what was to be kept.
   *
   * @throws {NotFoundError} if the connector or the workspace is unknown
   * @throws {ConflictError} if the connector was never configured, or is a poller, or what is stored cannot be read
   * @throws {InvalidInputError} if the old URL cannot be kept for so long
   */
  renewUrl(
    workspaceId: string,
    connectorId: string,
    options?: { readonly keepOldForMs?: number | undefined; readonly replaces?: string | undefined },
  ): Promise<string>;
  /**
   * Ends overlaps now: the old secrets, or the old URL, are accepted no more. Nothing happens if there is none.
   *
   * @throws {NotFoundError} if the connector or the workspace is unknown
   * @throws {UnreadableSettingsError} if what is stored cannot be read
   */
  endOverlap(workspaceId: string, connectorId: string, of: readonly Replaceable[]): Promise<void>;
}

/** What was replaced, in words for the account of changes. */
const OLD = { secrets: "the old secrets", url: "the old URL" } as const;

/** How often a save starts over when somebody else saved in between. */
const SAVE_ATTEMPTS = 20;

/** What {@link createConnectorSettings} works with. */
export interface ConnectorSettingsParts {
  readonly connectors: ReadonlyMap<string, Connector>;
  readonly workspaces: WorkspaceStore;
  readonly connectorConfigs: ConnectorConfigStore;
  readonly pollerStates: PollerStateStore;
  readonly tokens: Tokens;
  readonly audit: Audit;
  readonly now: () => Date;
  /** Base of webhook URLs, without a trailing slash. */
  readonly publicUrl: string;
  /** Told of each save, before {@link ConnectorSettings.configure} resolves. */
  onSaved(config: Versioned<ConnectorConfig>): void;
}

/** Makes the settings use-case over a store. */
export function createConnectorSettings(parts: ConnectorSettingsParts): ConnectorSettings {
  const { connectors, workspaces, connectorConfigs, pollerStates, tokens, audit, now, publicUrl, onSaved } = parts;

  const urlOf = ({ connectorId, webhookToken }: ConnectorConfig) =>
    `${publicUrl}/webhooks/${connectorId}/${webhookToken}`;

  async function requireBoth(workspaceId: string, connectorId: string): Promise<Connector> {
    const connector = requireConnector(connectors, connectorId);
    await requireWorkspace(workspaces, workspaceId);
    return connector;
  }

  /**
   * Saves what `change` makes of the stored config, and again if somebody else saved in between. Where it is whole, it also
   * replaces one that is damaged.
   */
  async function save(
    workspaceId: string,
    connectorId: string,
    change: (stored: ConnectorConfig | undefined) => ConnectorConfig,
    { isWhole = false } = {},
  ): Promise<ConnectorConfig> {
    for (let attempt = 0; attempt < SAVE_ATTEMPTS; attempt++) {
      const stored = await readable(connectorConfigs.get(workspaceId, connectorId));
      const isDamaged = stored instanceof UnreadableSettingsError;
      if (isDamaged && (!isWhole || stored.replaceable === null)) throw stored;
      const [value, version] = isDamaged ? [undefined, stored.replaceable] : [stored?.value, stored?.version ?? null];
      const saved = await connectorConfigs.save(change(value), version);
      if (saved === undefined) {
        await requireWorkspace(workspaces, workspaceId);
        continue;
      }
      onSaved(saved);
      return saved.value;
    }
    throw new ConflictError("Cannot save: others kept saving the same connector at the same time; try again");
  }

  async function note(action: AuditNote["action"], of: ConnectorConfig, detail: string): Promise<void> {
    await audit.note({ action, workspaceId: of.workspaceId, subject: of.connectorId, detail });
  }

  return {
    async view(workspaceId, connectorId) {
      const isPoller = (await requireBoth(workspaceId, connectorId)).type === "poller";
      const found = await readable(connectorConfigs.get(workspaceId, connectorId));
      const [stored, problem] = found instanceof UnreadableSettingsError ? [undefined, found.message] : [found, null];
      const poller = isPoller ? await pollerView({ workspaceId, connectorId }, stored, { pollerStates, now }) : null;
      const secretNames = Object.keys(stored?.value.secrets ?? {});
      return {
        enabled: stored?.value.enabled ?? false,
        hasSecrets: secretNames.length > 0,
        secretNames,
        configured: found !== undefined,
        problem,
        webhookUrl: stored === undefined || isPoller ? null : urlOf(stored.value),
        config: stored?.value.config ?? {},
        poller,
        retiringUntil: retiringUntil(stored?.value, now()),
      };
    },
    async configure(change) {
      const { workspaceId, connectorId, enabled } = change;
      const connector = await requireBoth(workspaceId, connectorId);
      const keepMs = change.keepOldSecretsForMs ?? 0;
      const until = overlapEnd({ connector, enabled, keepMs, now: now(), pointer: "/keepOldSecretsFor" });
      let before: ConnectorConfig | undefined;
      const saved = await save(workspaceId, connectorId, (stored) => {
        before = stored;
        const config = change.config ?? stored?.config ?? {};
        const secrets = mergeSecrets(stored?.secrets ?? {}, change.secrets ?? {});
        check(connector, { enabled, config, secrets });
        const given = Object.keys(change.secrets ?? {});
        if (stored !== undefined) requireSecretsAnew(connector, { stored, next: { config, secrets }, given });
        const webhookToken = stored?.webhookToken ?? tokens.issue();
        const retirements = retirementsAfter(stored, { enabled, config, secrets }, { connector, now: now(), until });
        return { workspaceId, connectorId, enabled, config, secrets, webhookToken, ...retirements };
      }, { isWhole: change.config !== undefined });
      const kept = saved.retiring?.until === until ? until : null;
      const detail = [whatChanged(before, change), acceptedUntil(OLD.secrets, kept)];
      await note("configured", saved, detail.filter((part) => part !== "").join(", "));
      return connector.type === "poller" ? null : urlOf(saved);
    },
    async renewUrl(workspaceId, connectorId, { keepOldForMs: keepMs = 0, replaces } = {}) {
      const connector = await requireBoth(workspaceId, connectorId);
      if (connector.type === "poller") {
        throw new ConflictError(`Cannot make a new URL: ${connectorId} is polled, nobody calls it`);
      }
      const at = now();
      let until: Date | null = null;
      let isNew = true;
      const saved = await save(workspaceId, connectorId, (stored) => {
        if (stored === undefined) {
          throw new ConflictError(`Cannot make a new URL: ${connectorId} has none, configure it first`);
        }
        isNew = replaces === undefined || urlOf(stored) === replaces;
        if (!isNew) return stored;
        until = overlapEnd({ connector, enabled: stored.enabled, keepMs, now: at, pointer: "/keepOldFor" });
        const retiringToken = until && { token: stored.webhookToken, until };
        return { ...stored, ...liveRetirements(stored, at), webhookToken: tokens.issue(), retiringToken };
      });
      if (isNew) await note("made a new webhook URL for", saved, acceptedUntil(OLD.url, until));
      return urlOf(saved);
    },
    async endOverlap(workspaceId, connectorId, of) {
      await requireBoth(workspaceId, connectorId);
      const until = retiringUntil((await connectorConfigs.get(workspaceId, connectorId))?.value, now());
      const ended = of.filter((what) => until[what] !== null);
      if (ended.length === 0) return;
      const saved = await save(workspaceId, connectorId, (stored) => {
        if (stored !== undefined) return { ...stored, ...retirementsWithout(ended, stored, now()) };
        throw new ConflictError(`Cannot end the overlap: ${connectorId} was removed meanwhile`);
      });
      await note("configured", saved, `accepted no more: ${ended.map((what) => OLD[what]).join(", ")}`);
    },
  };
}

/** @throws {NotFoundError} if there is no connector `connectorId` */
export function requireConnector(
  connectors: ReadonlyMap<string, Connector>,
  connectorId: string,
): Connector {
  const connector = connectors.get(connectorId);
  if (connector !== undefined) return connector;
  throw new NotFoundError(
    `Cannot find connector ${JSON.stringify(connectorId)}: GET /connectors lists those there are`,
  );
}

/** What is stored, or why it cannot be read. */
async function readable<T>(reading: Promise<T>): Promise<T | UnreadableSettingsError> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof UnreadableSettingsError) return error;
    throw error;
  }
}

function mergeSecrets(stored: Record<string, unknown>, change: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries({ ...stored, ...change }).filter(([, value]) => value !== null));
}

function acceptedUntil(what: string, until: Date | null): string {
  return until === null ? "" : `${what} accepted until ${until.toISOString()}`;
}

/** A change in words: names of settings, and never a value. */
function whatChanged(before: ConnectorConfig | undefined, change: SettingsChange): string {
  const { config = {}, secrets = {} } = change;
  const names = [...new Set([...Object.keys(before?.config ?? {}), ...Object.keys(config)])];
  const isSame = (name: string) => JSON.stringify(before?.config[name]) === JSON.stringify(config[name]);
  const parts = [
    before?.enabled === change.enabled ? [] : [change.enabled ? "turned on" : "turned off"],
    change.config === undefined ? [] : names.filter((name) => !isSame(name)),
    Object.entries(secrets).map(([name, value]) => `${name} ${value === null ? "cleared" : "set"}`),
  ];
  return parts.flat().join(", ");
}

/** Checks against the connector's schemas; a disabled connector may still lack secrets. */
function check(
  connector: Connector,
  { enabled, config, secrets }: Pick<ConnectorConfig, "enabled" | "config" | "secrets">,
): void {
  const faults = connector.faultsOf({ config, secrets }, enabled);
  if (faults.length > 0) throw new InvalidInputError("Cannot save: the settings do not fit the connector", faults);
}
