import { getLogger } from "@logtape/logtape";
import type { Connector, Receiver } from "../../connectors/kit/mod.ts";
import type { ConnectorConfig, ConnectorConfigStore, Tokens, Versioned } from "../deps.ts";

/** An enabled connector of one workspace, opened with its settings. */
export interface OpenReceiver {
  readonly workspaceId: string;
  readonly connectorId: string;
  readonly receiver: Receiver;
  /** How long the source waits for an answer, in milliseconds; `undefined` where it does not say. */
  readonly patienceMs: number | undefined;
}

interface Held {
  readonly version: string;
  /** Hashes of the tokens that lead to it: of the present one, then of one that retires. */
  readonly tokenHashes: readonly [string, ...string[]];
}

/** An {@link OpenReceiver} as one token leads to it. */
interface Reached {
  readonly open: OpenReceiver;
  /** When the token ends; `undefined`: when it is replaced. */
  readonly until: Date | undefined;
}

const log = getLogger(["inlet", "receivers"]);

/**
 * The view of all enabled webhook connectors that deliveries are matched against: in memory, secrets decrypted and
 * settings parsed once, so that a delivery costs no read of the store.
 */
export class Receivers {
  readonly #reached = new Map<string, Reached>();
  readonly #held = new Map<string, Held>();
  #revision: string | undefined;

  constructor(
    private readonly store: ConnectorConfigStore,
    private readonly connectors: ReadonlyMap<string, Connector>,
    private readonly tokens: Tokens,
    private readonly now: () => Date,
  ) {}

  /** The connector behind a webhook URL; `undefined` if the URL is unknown or the connector disabled. */
  find(connectorId: string, webhookToken: string): OpenReceiver | undefined {
    const hash = this.tokens.hash(webhookToken);
    const { open, until } = this.#reached.get(hash) ?? {};
    if (until !== undefined && this.now() >= until) {
      this.#reached.delete(hash);
      return undefined;
    }
    return open?.connectorId === connectorId ? open : undefined;
  }

  /** A workspace's connector; `undefined` if it is not enabled. */
  of(workspaceId: string, connectorId: string): OpenReceiver | undefined {
    const held = this.#held.get(keyOf({ workspaceId, connectorId }));
    return held && this.#reached.get(held.tokenHashes[0])?.open;
  }

  /** Brings the view up to date with the store, if the store has changed since. */
  async refresh(): Promise<void> {
    const revision = await this.store.revision();
    if (revision === this.#revision) return;
    const before = [...this.#held.keys()];
    const configs = await this.store.list();
    for (const config of configs) this.apply(config);
    const there = new Set(configs.map(({ value }) => keyOf(value)));
    for (const key of before) if (!there.has(key)) this.#forget(key);
    this.#revision = revision;
  }

  /** Forgets all connectors of a workspace that is being removed. */
  drop(workspaceId: string): void {
    for (const key of [...this.#held.keys()]) if (key.startsWith(`${workspaceId}/`)) this.#forget(key);
  }

  /** Takes over one config; an older version than the one held changes nothing. */
  apply({ value, version }: Versioned<ConnectorConfig>): void {
    const key = keyOf(value);
    const held = this.#held.get(key);
    if (held !== undefined && held.version >= version) return;
    this.#forget(key);
    const { webhookToken, retiringToken } = value;
    const present = this.tokens.hash(webhookToken);
    const former = retiringToken && { hash: this.tokens.hash(retiringToken.token), until: retiringToken.until };
    this.#held.set(key, { version, tokenHashes: former ? [present, former.hash] : [present] });
    const open = value.enabled ? this.#openReceiver(value) : undefined;
    if (open === undefined) return;
    this.#reached.set(present, { open, until: undefined });
    if (former) this.#reached.set(former.hash, { open, until: former.until });
  }

  #forget(key: string): void {
    for (const hash of this.#held.get(key)?.tokenHashes ?? []) this.#reached.delete(hash);
    this.#held.delete(key);
  }

  #openReceiver(config: ConnectorConfig): OpenReceiver | undefined {
    const connector = this.connectors.get(config.connectorId);
    if (connector?.type !== "webhook") return undefined;
    try {
      return {
        workspaceId: config.workspaceId,
        connectorId: config.connectorId,
        receiver: connector.open(config),
        patienceMs: connector.patienceMs,
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
