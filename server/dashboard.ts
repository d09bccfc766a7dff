import { z } from "zod";
import type { WebhookConnector } from "../connectors/kit/mod.ts";
import { type Problem, problemOf } from "./api/problem.ts";
import type { Recorder } from "./deliveries/recorder.ts";
import type { Replay } from "./deliveries/replay.ts";
import type { ActivityStore, ConnectorActivity, DeliveryRecord, DeliveryStore, Exchange, Health } from "./deps.ts";
import type { ConnectorSettings } from "./workspace/settings.ts";
import type { Setup } from "./workspace/setup.ts";

/** A connector as the dashboard shows it. */
export interface DashboardConnector {
  readonly manifest: WebhookConnector["manifest"];
  /** JSON Schemas (draft 2020-12) that the form is drawn from. */
  readonly configSchema: Record<string, unknown>;
  readonly secretsSchema: Record<string, unknown>;
}

/** The state of broker and store, for the overview. */
export interface DashboardHealth {
  readonly store: Health;
  readonly broker: Health;
  /** Events since the start that no queue was bound for. */
  readonly unrouted: number;
}

/** Everything that the dashboard's pages can ask for or do: their `ctx.state.dashboard`. */
export interface Dashboard {
  readonly setup: Setup;
  readonly settings: ConnectorSettings;
  readonly replay: Replay;
  readonly connectors: readonly DashboardConnector[];
  connector(id: string): DashboardConnector | undefined;
  /** A connector's set-up steps, as Markdown. */
  guide(connectorId: string): Promise<string>;
  /** Names of the example deliveries that {@link Replay.sendExample} can send. */
  examples(connectorId: string): Promise<readonly string[]>;
  /** Whether deliveries are kept at all. */
  readonly keepsDeliveries: boolean;
  /** The newest deliveries first; those before the record `before`. */
  deliveries(
    workspaceId: string,
    page: { limit: number; before?: string; connectorId?: string },
  ): Promise<DeliveryRecord[]>;
  delivery(workspaceId: string, id: string): Promise<DeliveryRecord | undefined>;
  activity(workspaceId: string): Promise<ConnectorActivity[]>;
  health(): Promise<DashboardHealth>;
  /** What an error means to the person whose request met it. */
  problem(error: unknown): Problem;
}

/** What {@link createDashboard} works with. */
export interface DashboardParts {
  readonly setup: Setup;
  readonly settings: ConnectorSettings;
  readonly replay: Replay;
  readonly connectors: readonly WebhookConnector[];
  readonly recorder: Recorder;
  readonly deliveries: DeliveryStore | undefined;
  readonly activity: ActivityStore;
  readonly exchange: Exchange;
  readonly checkStore: () => Promise<Health>;
  readonly readGuide: (connectorId: string) => Promise<string>;
  readonly listExamples: (connectorId: string) => Promise<readonly string[]>;
  readonly now: () => Date;
}

/** Makes the dashboard's view of the service. What it reads includes every delivery that was answered before. */
export function createDashboard(parts: DashboardParts): Dashboard {
  const { setup, settings, replay, recorder, deliveries, activity, exchange, checkStore, now } = parts;
  const connectors = parts.connectors.map(({ manifest, configSchema, secretsSchema }): DashboardConnector => ({
    manifest,
    configSchema: { ...z.toJSONSchema(configSchema, { io: "input" }) },
    secretsSchema: { ...z.toJSONSchema(secretsSchema, { io: "input" }) },
  }));
  return {
    setup,
    settings,
    replay,
    connectors,
    connector: (id) => connectors.find(({ manifest }) => manifest.id === id),
    guide: parts.readGuide,
    examples: parts.listExamples,
    keepsDeliveries: deliveries !== undefined,
    async deliveries(workspaceId, page) {
      await recorder.flush();
      return await deliveries?.list(workspaceId, page) ?? [];
    },
    async delivery(workspaceId, id) {
      await recorder.flush();
      return await deliveries?.get(workspaceId, id);
    },
    async activity(workspaceId) {
      await recorder.flush();
      return await activity.read(workspaceId, now());
    },
    async health() {
      return { store: await checkStore(), broker: exchange.health(), unrouted: exchange.unrouted() };
    },
    problem: problemOf,
  };
}
