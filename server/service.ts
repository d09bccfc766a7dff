import type { OpenAPIHono } from "@hono/zod-openapi";
import type { WebhookConnector } from "../connectors/kit/mod.ts";
import { createApp } from "./app.ts";
import { createDashboard, type Dashboard } from "./dashboard.ts";
import { problemOf } from "./api/problem.ts";
import { createRecorder, type Recorder } from "./deliveries/recorder.ts";
import { createReplay, type Replay, type ReplayParts } from "./deliveries/replay.ts";
import type {
  ActivityStore,
  ConnectorConfigStore,
  DeliveryStore,
  Exchange,
  Health,
  Journal,
  Tokens,
  WorkspaceStore,
} from "./deps.ts";
import { createIngest } from "./ingest/pipeline.ts";
import { Receivers } from "./ingest/receivers.ts";
import { createHub, type Hub } from "./stream/hub.ts";
import { createConnectorSettings } from "./workspace/settings.ts";
import { createSetup } from "./workspace/setup.ts";

/** The ports and settings that a service is made of. */
export interface ServiceParts {
  readonly connectors: readonly WebhookConnector[];
  readonly workspaces: WorkspaceStore;
  readonly connectorConfigs: ConnectorConfigStore;
  readonly tokens: Tokens;
  readonly exchange: Exchange;
  /** `undefined`: deliveries are counted, but not kept. */
  readonly deliveries: DeliveryStore | undefined;
  readonly activity: ActivityStore;
  /** `undefined`: live streams do not resume. */
  readonly journal: Journal | undefined;
  /** Reads an example delivery of a connector; see {@link ReplayParts}. */
  readonly readExample: ReplayParts["readExample"];
  /** Reads a connector's set-up steps, as Markdown. */
  readonly readGuide: (connectorId: string) => Promise<string>;
  readonly listExamples: (connectorId: string) => Promise<readonly string[]>;
  readonly checkStore: () => Promise<Health>;
  readonly now: () => Date;
  /** Base of webhook URLs, without a trailing slash. */
  readonly publicUrl: string;
  readonly maxBodyBytes: number;
}

/** A service: the app, and what whoever runs it has to look after. */
export interface Service {
  readonly app: OpenAPIHono;
  /** To be refreshed before the first request, and when the store has changed. */
  readonly receivers: Receivers;
  /** To be closed before the port is. */
  readonly hub: Hub;
  /** To be flushed before the store is closed. */
  readonly recorder: Recorder;
  readonly replay: Replay;
  readonly dashboard: Dashboard;
}

/** Makes a service of its ports. Does no I/O of its own. */
export function createService(parts: ServiceParts): Service {
  const connectors = new Map(parts.connectors.map((connector) => [connector.manifest.id, connector]));
  const receivers = new Receivers(parts.connectorConfigs, connectors, parts.tokens);
  const hub = createHub(parts.exchange, { journal: parts.journal });
  const recorder = createRecorder(parts);
  const ingest = createIngest({ ...parts, receivers, recorder, problemOf });
  const setup = createSetup(parts);
  const settings = createConnectorSettings({ ...parts, connectors, onSaved: (saved) => receivers.apply(saved) });
  const replay = createReplay({ ...parts, receivers, ingest });
  const app = createApp({ ...parts, connectors, setup, settings, ingest, hub });
  const dashboard = createDashboard({ ...parts, setup, settings, replay, recorder });
  return { app, receivers, hub, recorder, replay, dashboard };
}
