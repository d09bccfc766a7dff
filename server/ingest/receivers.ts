import { getLogger } from "@logtape/logtape";
import type { Delivery, Receiver, WebhookConnector } from "../../connectors/kit/mod.ts";
import type { ConnectorConfig, ConnectorConfigStore, Tokens, Versioned } from "../deps.ts";

/** An enabled connector of one workspace, opened with its settings. */
export interface OpenReceiver {
  readonly workspaceId: string;
  readonly connectorId: string;
  readonly receiver: Receiver;
  /** Signs a request with the workspace's secrets, as the source would; see {@link WebhookConnector.sign}. */
  sign(request: Delivery): Headers;
  /** See {@link WebhookConnector.keptHeaders}. */
  keptHeaders(headers: Headers): Headers;
}

interface Held {
  readonly version: string;
  readonly tokenHash: string;
}

const log = getLogger(["inlet", "receivers"]);

/**
 * The view of all enabled webhook connectors that deliveries are matched against: in memory, secrets decrypted and
 * settings parsed once, so that a delivery costs no read of the store.
 */
export class Receivers {
  readonly #open = new Map<string, OpenReceiver>();
  readonly #held = new Map<string, Held>();
  #revision: string | undefined;

  constructor(
    private readonly store: ConnectorConfigStore,
    private readonly connectors: ReadonlyMap<string, WebhookConnector>,
    private readonly tokens: Tokens,
  ) {}

  /** The connector behind a webhook URL; `undefined` if the URL is unknown or the connector disabled. */
  find(connectorId: string, webhookToken: string): OpenReceiver | undefined {
    const open = this.#open.get(this.tokens.hash(webhookToken));
    return open?.connectorId === connectorId ? open : undefined;
  }

  /** A workspace's connector; `undefined` if it is not enabled. */
  of(workspaceId: string, connectorId: string): OpenReceiver | undefined {
    const held = this.#held.get(keyOf({ workspaceId, connectorId }));
    return held && this.#open.get(held.tokenHash);
  }

  /** Brings the view up to date with the store, if the store has changed since. */
  async refresh(): Promise<void> {
    const revision = await this.store.revision();
    if (revision === this.#revision) return;
    for (const config of await this.store.list()) this.apply(config);
    this.#revision = revision;
  }

  /** Takes over one config; an older version than the one held changes nothing. */
  apply({ value, version }: Versioned<ConnectorConfig>): void {
    const key = keyOf(value);
    const held = this.#held.get(key);
    if (held !== undefined && held.version >= version) return;
    if (held !== undefined) this.#open.delete(held.tokenHash);
    const tokenHash = this.tokens.hash(value.webhookToken);
    this.#held.set(key, { version, tokenHash });
    const open = value.enabled ? this.#openReceiver(value) : undefined;
    if (open !== undefined) this.#open.set(tokenHash, open);
  }

  #openReceiver(config: ConnectorConfig): OpenReceiver | undefined {
    const connector = this.connectors.get(config.connectorId);
    if (connector === undefined) return undefined;
    try {
      return {
        workspaceId: config.workspaceId,
        connectorId: config.connectorId,
        receiver: connector.open(config),
        sign: (request) => connector.sign(request, config.secrets),
        keptHeaders: (headers) => connector.keptHeaders(headers),
      };
    } catch {
      // The settings were checked when they were saved, so this program's schemas have changed since. The reason may
      // quote a value and stays out of the log; configuring the connector again tells what is wrong.
      const { workspaceId, connectorId } = config;
      log.error("Cannot open {connectorId} of workspace {workspaceId}: its stored settings do not fit any more", {
        workspaceId,
        connectorId,
      });
      return undefined;
    }
  }
}

function keyOf({ workspaceId, connectorId }: { workspaceId: string; connectorId: string }): string {
  return `${workspaceId}/${connectorId}`;
}
