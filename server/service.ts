import type { Connector } from "../connectors/kit/mod.ts";
import type { Access } from "./access/access.ts";
import type { Audit } from "./audit/audit.ts";
import { createApp } from "./app.ts";
import { createDashboard, type Dashboard } from "./dashboard.ts";
import { BodyMemory } from "./api/body_memory.ts";
import { problemOf } from "./api/problem.ts";
import type { Router } from "./api/router.ts";
import { createRecorder, type Recorder } from "./deliveries/recorder.ts";
import { createReplay, type Replay, type ReplayParts } from "./deliveries/replay.ts";
import { createDeadLetterActions } from "./deliveries/dead_letters.ts";
import type {
  AcceptedDeliveries,
  ActivityStore,
  ApiKeyStore,
  ConnectorConfigStore,
  DeadLetters,
  DeliveryStore,
  Exchange,
  Health,
  Journal,
  Live,
  SpoolingExchange,
  Tokens,
  WorkspaceStore,
} from "./deps.ts";
import { createOnce } from "./ingest/once.ts";
import type { Leases, PollerStateStore } from "./poller/deps.ts";
import type { Publishing } from "./contract/asyncapi.ts";
import { createEventCatalogue, type EventCatalogueParts } from "./contract/event_catalogue.ts";
import { triggerFinder } from "./contract/event_types.ts";
import { createIngest } from "./ingest/pipeline.ts";
import { Receivers } from "./ingest/receivers.ts";
import { createScheduler, type Scheduler } from "./poller/scheduler.ts";
import type { Limits } from "./limits.ts";
import { RateLimit } from "./rate_limit.ts";
import { createHub, type Hub } from "./stream/hub.ts";
import { createMetrics, type Metrics } from "./telemetry/metrics.ts";
import type { Tracing } from "./telemetry/tracing.ts";
import { createConnectorSettings } from "./workspace/settings.ts";
import { createSetup } from "./workspace/setup.ts";
import { createWorkspaces } from "./workspace/workspaces.ts";

/** The ports and settings that a service is made of. */
export interface ServiceParts {
  readonly connectors: readonly Connector[];
  readonly workspaces: WorkspaceStore;
  readonly connectorConfigs: ConnectorConfigStore;
  readonly access: Access;
  readonly audit: Audit;
  readonly apiKeys: ApiKeyStore;
  readonly tokens: Tokens;
  /** Keeps what it publishes in `journal`, and its delivery in `accepted`. */
  readonly exchange: Exchange;
  /** The same, where it has a spool before a broker. */
  readonly spooling: SpoolingExchange | undefined;
  /** Where live streams have their events from. */
  readonly live: Live;
  readonly deadLetters: DeadLetters;
  /** `undefined`: a delivery is accepted as often as it comes. */
  readonly accepted: AcceptedDeliveries | undefined;
  /** `undefined`: deliveries are counted, but not kept. */
  readonly deliveries: DeliveryStore | undefined;
  readonly activity: ActivityStore;
  /** `undefined`: live streams do not resume. */
  readonly journal: Journal | undefined;
  readonly pollerStates: PollerStateStore;
  readonly leases: Leases;
  /** From 0 to 1; default `Math.random`. */
  readonly random?: () => number;
  /** Reads an example delivery of a connector; see {@link ReplayParts}. */
  readonly readExample: ReplayParts["readExample"];
  /** Reads a connector's set-up steps, as Markdown. */
  readonly readGuide: (connectorId: string) => Promise<string>;
  readonly listExamples: (connectorId: string) => Promise<readonly string[]>;
  readonly readEventExample: EventCatalogueParts["readEventExample"];
  readonly checkStore: () => Promise<Health>;
  readonly now: () => Date;
  /** Base of webhook URLs, without a trailing slash. */
  readonly publicUrl: string;
  readonly limits: Limits;
  /** Where consumers find the events. */
  readonly publishing: Publishing;
  /** What counts. Default: what begins with this service, and measures neither broker nor store. */
  readonly metrics?: Metrics;
  /** `undefined`: nobody wants traces. */
  readonly tracing?: Tracing | undefined;
}

/** A service: the app, and what whoever runs it has to look after. */
export interface Service {
  readonly app: Router;
  /** To be refreshed before the first request, and when the store has changed. */
  readonly receivers: Receivers;
  /** To be ticked once a minute, and stopped before the port is closed. */
  readonly scheduler: Scheduler;
  /** To be closed before the port is. */
  readonly hub: Hub;
  /** To be flushed before the store is closed. */
  readonly recorder: Recorder;
  readonly replay: Replay;
  readonly dashboard: Dashboard;
}

/** Makes a service of its ports. Does no I/O of its own. */
export function createService(parts: ServiceParts): Service {
  const { limits, now, metrics = createMetrics(), tracing } = parts;
  const { meter } = metrics;
  const connectors = new Map(parts.connectors.map((connector) => [connector.manifest.id, connector]));
  const receivers = new Receivers(parts.connectorConfigs, connectors, parts.tokens, now);
  const hub = createHub(parts.live, {
    journal: parts.journal,
    maxClients: limits.maxStreams,
    keysOf: async (workspaceId) => {
      if (await parts.workspaces.get(workspaceId) === undefined) return undefined;
      return new Set((await parts.apiKeys.list(workspaceId)).map(({ id }) => id));
    },
    hasSession: (hash) => parts.access.hasSession(hash),
    onDropped: meter.streamDropped,
  });
  const recorder = createRecorder({ ...parts, triggerOf: triggerFinder(parts.connectors) });
  const once = createOnce(parts.accepted);
  const ingest = createIngest({ ...parts, receivers, recorder, once, meter, tracing, problemOf });
  const deadLetters = createDeadLetterActions(parts.deadLetters, parts.spooling, parts.audit);
  const setup = createSetup(parts);
  const settings = createConnectorSettings({ ...parts, connectors, onSaved: (saved) => receivers.apply(saved) });
  const scheduler = createScheduler({
    ...parts,
    connectors,
    states: parts.pollerStates,
    meter,
    random: parts.random ?? Math.random,
    accept: (events) => parts.exchange.publish(events),
    onAccepted: ({ at, types, ...page }) =>
      recorder.count({ ...page, receivedAt: at, queued: 0, status: 200, refusal: null }, types),
  });
  const workspaceAdmin = createWorkspaces({
    ...parts,
    endStreams: (workspaceId) => hub.endStreams(workspaceId),
    async onRemoved(workspaceId) {
      receivers.drop(workspaceId);
      await scheduler.end(workspaceId);
      await recorder.flush();
    },
  });
  const replay = createReplay({ ...parts, receivers, ingest });
  const bodyTerms = { ...limits, bodyMemory: new BodyMemory(limits.bodyMemoryBytes) };
  const rateLimit = limits.rateLimit === 0
    ? undefined
    : new RateLimit({ perSecond: limits.rateLimit, burst: limits.rateLimitBurst, now });
  const app = createApp({
    ...parts,
    metrics,
    connectors,
    setup,
    settings,
    workspaceAdmin,
    ingest,
    scheduler,
    hub,
    deadLetters,
    bodyTerms,
    rateLimit,
  });
  const dashboard = createDashboard({
    ...parts,
    events: createEventCatalogue({ ...parts, hasBroker: parts.spooling !== undefined }),
    setup,
    settings,
    workspaceAdmin,
    replay,
    scheduler,
    recorder,
    deadLetters,
  });
  return { app, receivers, scheduler, hub, recorder, replay, dashboard };
}
