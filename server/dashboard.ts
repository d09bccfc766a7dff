import type { Access } from "./access/access.ts";
import { isLocalUrl } from "./access/local.ts";
import type { Connector } from "../connectors/kit/mod.ts";
import type { Audit } from "./audit/audit.ts";
import { type Problem, problemOf } from "./api/problem.ts";
import type { EventCatalogue } from "./contract/event_catalogue.ts";
import { inputSchemaOf, type JsonSchema } from "./contract/json_schema.ts";
import type { Recorder } from "./deliveries/recorder.ts";
import type { Replay } from "./deliveries/replay.ts";
import type { DeadLetterActions } from "./deliveries/dead_letters.ts";
import type { ActivityStore, ConnectorActivity, DeliveryFilter, DeliveryRecord, DeliveryStore } from "./deps.ts";
import type { Scheduler } from "./poller/scheduler.ts";
import { type Readiness, readinessOf, type ReadinessParts } from "./readiness.ts";
import type { ConnectorSettings } from "./workspace/settings.ts";
import type { Setup } from "./workspace/setup.ts";
import type { Workspaces } from "./workspace/workspaces.ts";

/** A connector as the dashboard shows it. */
export interface DashboardConnector {
  readonly manifest: Connector["manifest"];
  /** JSON Schemas (draft 2020-12) that the form is drawn from. */
  readonly configSchema: JsonSchema;
  readonly secretsSchema: JsonSchema;
}

/** Everything that the dashboard's pages can ask for or do: their `ctx.state.dashboard`. */
export interface Dashboard {
  readonly access: Pick<Access, "sessionCookie" | "signsIn" | "signIn" | "signOut">;
  readonly setup: Setup;
  /** The workspaces, and the API keys of each. */
  readonly workspaceAdmin: Workspaces;
  readonly settings: ConnectorSettings;
  /** Whether no other machine reaches the webhook URLs. */
  readonly webhooksAreLocal: boolean;
  readonly replay: Replay;
  readonly scheduler: Scheduler;
  readonly deadLetters: DeadLetterActions;
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
    page: DeliveryFilter & { limit: number; before?: string },
  ): Promise<DeliveryRecord[]>;
  delivery(workspaceId: string, id: string): Promise<DeliveryRecord | undefined>;
  activity(workspaceId: string): Promise<ConnectorActivity[]>;
  /** Every event type there is. */
  readonly events: EventCatalogue;
  /** How many events of each type a workspace ever had, by trigger. */
  eventCounts(workspaceId: string): Promise<ReadonlyMap<string, number>>;
  /** Who changed what, newest first. */
  audit: Audit["list"];
  /** The state of broker, spool and store, for the overview. */
  health(): Promise<Readiness>;
  /** What an error means to the person whose request met it. */
  problem(error: unknown): Problem;
}

/** What {@link createDashboard} works with. */
export interface DashboardParts extends ReadinessParts {
  readonly access: Access;
  readonly setup: Setup;
  readonly workspaceAdmin: Workspaces;
  readonly settings: ConnectorSettings;
  readonly publicUrl: string;
  readonly replay: Replay;
  readonly scheduler: Scheduler;
  readonly connectors: readonly Connector[];
  readonly recorder: Recorder;
  readonly deliveries: DeliveryStore | undefined;
  readonly activity: ActivityStore;
  readonly events: EventCatalogue;
  readonly audit: Audit;
  readonly deadLetters: DeadLetterActions;
  readonly readGuide: (connectorId: string) => Promise<string>;
  readonly listExamples: (connectorId: string) => Promise<readonly string[]>;
  readonly now: () => Date;
}

/** Makes the dashboard's view of the service. What it reads includes every delivery that was answered before. */
export function createDashboard(parts: DashboardParts): Dashboard {
  const { access, setup, settings, workspaceAdmin, replay, scheduler, deadLetters, recorder, deliveries, activity } =
    parts;
  const { now } = parts;
  const connectors = parts.connectors.map(({ manifest, configSchema, secretsSchema }): DashboardConnector => ({
    manifest,
    configSchema: inputSchemaOf(configSchema),
    secretsSchema: inputSchemaOf(secretsSchema),
  }));
  return {
    access,
    setup,
    workspaceAdmin,
    settings,
    webhooksAreLocal: isLocalUrl(parts.publicUrl),
    replay,
    scheduler,
    deadLetters,
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
    events: parts.events,
    async eventCounts(workspaceId) {
      await recorder.flush();
      return await activity.eventCounts(workspaceId);
    },
    audit: (page) => parts.audit.list(page),
    health: () => readinessOf(parts),
    problem: problemOf,
  };
}
