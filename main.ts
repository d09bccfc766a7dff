/**
 * The composition root: the only file that reads the environment, opens the store and the broker, and hands the parts
 * to each other. `deno task start` serves what it exports (start.ts); `deno serve main.ts` and Deno Deploy serve it too.
 *
 * @module
 */
// First of all: a signal may come while the rest is loaded.
import { onStopSignal } from "./server/stop_signal.ts";
import { getLogger } from "@logtape/logtape";
import { catalogue } from "./connectors/catalogue.ts";
import { readEventExample } from "./connectors/examples.ts";
import { fixtureNames, readFixture, readGuide } from "./connectors/kit/fixtures.ts";
import { openPages } from "./pages.ts";
import { openSealer, requireStoreKey } from "./sealer.ts";
import { createAccess } from "./server/access/access.ts";
import { createAudit } from "./server/audit/audit.ts";
import { createGate } from "./server/access/gate.ts";
import { notFound, respondWithProblem } from "./server/api/problem.ts";
import { connectAmqpExchange } from "./server/broker/amqp.ts";
import { messageFormats } from "./server/broker/format.ts";
import { embeddedExchange } from "./server/broker/embedded.ts";
import { journaling } from "./server/broker/journaling.ts";
import { measuringBroker, measuringExchange } from "./server/broker/measuring.ts";
import { spoolingExchange, type SpoolingParts } from "./server/broker/spooling.ts";
import { settledWithin } from "./server/timeouts.ts";
import { type Config, loadConfig } from "./server/config.ts";
import { tokens } from "./server/crypto/token.ts";
import type {
  ConnectorConfigStore,
  DeliveryStore,
  Exchange,
  Health,
  Journal,
  Live,
  Sealer,
  SpoolingExchange,
} from "./server/deps.ts";
import { drainingHandler } from "./server/draining.ts";
import { ConfigError, EncryptionKeyError, messageOf, StoppingError, StoreError } from "./server/errors.ts";
import type { Receivers } from "./server/ingest/receivers.ts";
import { createService } from "./server/service.ts";
import { apiKeyStore } from "./server/store/api_keys.ts";
import { acceptedDeliveries } from "./server/store/accepted.ts";
import { activityStore } from "./server/store/activity.ts";
import { auditStore } from "./server/store/audit.ts";
import { connectorConfigStore } from "./server/store/connector_configs.ts";
import { deadLetterStore } from "./server/store/dead_letters.ts";
import { deliveryStore } from "./server/store/deliveries.ts";
import { journalStore } from "./server/store/journal.ts";
import { leaseStore } from "./server/store/leases.ts";
import { sweepLeftovers } from "./server/store/leftovers.ts";
import { measured } from "./server/store/measured.ts";
import { openStore } from "./server/store/open.ts";
import { pollerStateStore } from "./server/store/poller_states.ts";
import { coalescedReads } from "./server/store/reads.ts";
import { prepareStore, requireSchema } from "./server/store/schema.ts";
import { sessionStore } from "./server/store/sessions.ts";
import { spoolStore } from "./server/store/spool.ts";
import { workspaceStore } from "./server/store/workspaces.ts";
import type { Meter } from "./server/metering.ts";
import { endLog, startLog } from "./server/telemetry/log.ts";
import { createMetrics } from "./server/telemetry/metrics.ts";
import { openTracing } from "./server/telemetry/tracing.ts";

/** A running service, short of a port. */
export interface Inlet {
  readonly config: Config;
  /** Answers one request; `info` tells who is connected. */
  fetch(request: Request, info?: Deno.ServeHandlerInfo): Response | Promise<Response>;
  /** Polls what is due; to be called once a minute. */
  tick(): Promise<void>;
  /**
   * Refuses new requests, ends the live streams and the polls, and waits for the requests under way, `SHUTDOWN_TIMEOUT` at most.
   * Whoever holds the port can close it then.
   */
  drain(): Promise<void>;
  /** Lets go of broker and store; to be called after {@link drain}. */
  close(): Promise<void>;
}

/** How often the store is asked for changes by other processes: a local file does not tell of them. */
const REFRESH_INTERVAL_MS = 5000;

/** How often the store is looked through for what was left behind. */
const TIDY_INTERVAL_MS = 60 * 60_000;

/** How long `deno serve` may take to end by itself. */
const EXIT_AFTER_MS = 1000;

/** How long a stop lets deliveries wait for the broker's confirm before they are spooled. */
const LAST_CONFIRMS_MS = 1000;

const log = getLogger(["inlet"]);

async function startInlet(): Promise<Inlet> {
  const config = loadConfig((name) => Deno.env.get(name));
  await startLog(config);
  const metrics = createMetrics();
  const { meter } = metrics;
  const kv = measured(await openStore(config.kvPath), meter);
  const now = () => new Date();
  const leases = leaseStore(kv, now);
  await prepareStore(kv, { leases });
  const sealer = await openSealer(config, kv);
  log.info("the store is {path}", { path: config.kvPath ?? "the platform's own" });
  const connectorConfigs = connectorConfigStore(kv, sealer);
  const apiKeys = apiKeyStore(kv);
  const audit = createAudit({ audit: auditStore(kv, config.auditRetentionMs), now });
  const access = createAccess({ ...config, sessions: sessionStore(kv, now), apiKeys, tokens, audit, now });
  const workspaces = workspaceStore(kv, now);
  const { dedupeWindowMs } = config;
  const reads = coalescedReads(kv);
  const accepted = dedupeWindowMs === 0 ? undefined : acceptedDeliveries(kv, { windowMs: dedupeWindowMs, now, reads });
  const journal = openJournal(config, kv, sealer, now);
  const spool = spoolStore(kv, { sealer, limitBytes: config.spoolMaxBytes, dedupeWindowMs, now, reads });
  const exchanges = await openExchange(config, { spool, journal, accepted, now, meter });
  const { app, receivers, scheduler, hub, recorder, dashboard } = createService({
    connectors: catalogue,
    access,
    audit,
    apiKeys,
    workspaces,
    connectorConfigs,
    tokens,
    ...exchanges,
    deadLetters: deadLetterStore(kv, { sealer, now }),
    accepted,
    checkStore: () => checkStore(kv, sealer),
    now,
    deliveries: openDeliveries(config, kv, sealer, now),
    activity: activityStore(kv),
    journal,
    pollerStates: pollerStateStore(kv, sealer),
    leases,
    readExample: readFixture,
    listExamples: fixtureNames,
    readGuide,
    readEventExample,
    publishing: config,
    metrics,
    tracing: openTracing(config.exchange),
    publicUrl: config.publicUrl,
    limits: config,
  });
  const pages = await openPages(dashboard);
  app.notFound((c) => pages.wants(c.req.raw) ? pages.answer(c.req.raw, c.env.info) : notFound(c));
  const gate = createGate({
    access,
    admit: async (request, caller, info) => await app.fetch(request, { caller, info }),
    isForPage: pages.wants,
    isPagePart: pages.isPart,
    refusePage: pages.refuse,
  });
  const stopping = new AbortController();
  // First of all: the URLs of a workspace whose removal was cut off are to be unknown.
  await keepTidy(() => workspaces.finishRemovals(), stopping.signal);
  await receivers.refresh();
  keepFresh(receivers, connectorConfigs, stopping.signal);
  keepTidy(() => sweepLeftovers(kv, now), stopping.signal);
  const { fetch, drain } = drainingHandler(gate, () => {
    return respondWithProblem(new StoppingError("Cannot take the request: the service is stopping"));
  });
  return {
    config,
    fetch: (request, info) => fetch(asGet(request), info),
    tick: () => scheduler.tick(),
    async drain() {
      log.info("stopping");
      hub.close();
      exchanges.spooling?.hurry(Math.min(LAST_CONFIRMS_MS, config.shutdownTimeoutMs / 2));
      if (await settledWithin(config.shutdownTimeoutMs, Promise.all([drain(), scheduler.stop()]))) return;
      log.warning("requests under way were given up: they took longer than SHUTDOWN_TIMEOUT");
    },
    async close() {
      stopping.abort();
      await recorder.flush();
      await exchanges.exchange.close();
      await journal?.idle();
      kv.close();
      log.info("stopped");
      await endLog();
    },
  };
}

/** HEAD as GET: whoever serves leaves out the body, and tells its length (RFC 9110, section 9.3.2). */
function asGet(request: Request): Request {
  return request.method === "HEAD" ? new Request(request, { method: "GET" }) : request;
}

async function openExchange(
  config: Config,
  parts: Pick<SpoolingParts, "spool" | "journal" | "accepted" | "now"> & { readonly meter: Meter },
): Promise<{ exchange: Exchange; spooling: SpoolingExchange | undefined; live: Live }> {
  if (config.amqpUrl !== undefined) {
    const format = messageFormats[config.messageFormat];
    const broker = measuringBroker(await connectAmqpExchange({ ...config, url: config.amqpUrl, format }), parts.meter);
    const spooling = spoolingExchange({ ...parts, broker, publishTimeoutMs: config.publishTimeoutMs });
    return { exchange: spooling, spooling, live: broker.live };
  }
  log.warning("AMQP_URL is not set: events reach only the live stream, and nothing keeps them");
  const { events } = await parts.spool.state();
  if (events > 0) log.warning("{events} events are in the spool and wait for a broker", { events });
  const embedded = embeddedExchange();
  const { live } = embedded;
  const exchange = journaling(measuringExchange(embedded, parts.meter), { ...parts, live });
  return { exchange, spooling: undefined, live };
}

function openDeliveries(config: Config, kv: Deno.Kv, sealer: Sealer, now: () => Date): DeliveryStore | undefined {
  const retention = { ageMs: config.deliveryRetentionMs, count: config.deliveryRetentionCount };
  if (retention.ageMs === 0 || retention.count === 0) return undefined;
  return deliveryStore(kv, { sealer, retention, now });
}

function openJournal(config: Config, kv: Deno.Kv, sealer: Sealer, now: () => Date): Journal | undefined {
  const retention = { ageMs: config.journalRetentionMs, count: config.journalRetentionCount };
  if (retention.ageMs === 0 || retention.count === 0) return undefined;
  return journalStore(kv, { sealer, retention, dedupeWindowMs: config.dedupeWindowMs, now });
}

function keepFresh(receivers: Receivers, configs: ConnectorConfigStore, signal: AbortSignal): void {
  const refresh = async () => {
    try {
      await receivers.refresh();
    } catch (error) {
      if (!signal.aborted) log.error("cannot read the connector configs: {error}", { error });
    }
  };
  const timer = setInterval(refresh, REFRESH_INTERVAL_MS);
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
  (async () => {
    for await (const _ of configs.changes(signal)) await refresh();
  })().catch((error) => log.error("cannot watch the store, asking it every few seconds: {error}", { error }));
}

/** Tidies now, and again and again; resolves when it was tried once. A full disk, say, is no reason not to start. */
async function keepTidy(tidy: () => Promise<void>, signal: AbortSignal): Promise<void> {
  const run = async () => {
    try {
      await tidy();
    } catch (error) {
      if (!signal.aborted) log.error("cannot delete what was left behind in the store: {error}", { error });
    }
  };
  const timer = setInterval(run, TIDY_INTERVAL_MS);
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
  await run();
}

async function checkStore(kv: Deno.Kv, sealer: Sealer): Promise<Health> {
  try {
    // A newer program may have brought the store forward while this one runs, or its key may have been replaced.
    await requireSchema(kv);
    await requireStoreKey(sealer, kv);
    return { ok: true, detail: "readable" };
  } catch (error) {
    return { ok: false, detail: messageOf(error) };
  }
}

/** Ends the process with the reason on one line where it is the operator's to mend, with a stack where it is ours. */
export async function exitWith(error: unknown): Promise<never> {
  await endLog();
  const expected = error instanceof ConfigError || error instanceof StoreError || error instanceof EncryptionKeyError;
  // deno-lint-ignore no-console -- the log may not have been set up
  console.error(expected ? error.message : error);
  Deno.exit(1);
}

/** The service, started; a server needs no more than its `fetch`. */
const inlet: Inlet = await startInlet().catch(exitWith);

Deno.cron("poll the sources that are due", "* * * * *", () => inlet.tick());

// `deno serve` closes the port and waits until nothing is left to do; start.ts has signals of its own.
if (import.meta.main) {
  const stop = async () => {
    await inlet.drain();
    await inlet.close();
    // A broker that does not answer may still hold its connection.
    Deno.unrefTimer(setTimeout(() => Deno.exit(0), EXIT_AFTER_MS));
  };
  onStopSignal(() => stop().catch(exitWith));
}

export default inlet;
