/**
 * The composition root: the only file that reads the environment, opens the store and the broker, and hands the parts
 * to each other. `deno task start` serves what it exports (start.ts); `deno serve main.ts` and Deno Deploy serve it too.
 *
 * @module
 */
import { getLogger } from "@logtape/logtape";
import { App, type Snapshot, staticFiles } from "fresh";
import type { State } from "./routes/(_shared)/define.ts";
import { PAGES_PATH } from "./fresh.config.ts";
import { catalogue } from "./connectors/catalogue.ts";
import { fixtureNames, readFixture, readGuide } from "./connectors/kit/fixtures.ts";
import { notFound, respondWithProblem } from "./server/api/problem.ts";
import { connectAmqpExchange } from "./server/broker/amqp.ts";
import { embeddedExchange } from "./server/broker/embedded.ts";
import { type Config, loadConfig } from "./server/config.ts";
import { loadOrCreateKeyFile, opensCheck, parseKey, sealCheck } from "./server/crypto/key.ts";
import { createSealer } from "./server/crypto/seal.ts";
import { tokens } from "./server/crypto/token.ts";
import type { Dashboard } from "./server/dashboard.ts";
import type { ConnectorConfigStore, DeliveryStore, Exchange, Health, Journal, Sealer } from "./server/deps.ts";
import { drainingHandler } from "./server/draining.ts";
import { ConfigError, EncryptionKeyError, StoppingError, StoreError } from "./server/errors.ts";
import type { Receivers } from "./server/ingest/receivers.ts";
import { folderOf, isLocalStore } from "./server/kv_path.ts";
import { createService } from "./server/service.ts";
import { activityStore } from "./server/store/activity.ts";
import { connectorConfigStore } from "./server/store/connector_configs.ts";
import { deliveryStore } from "./server/store/deliveries.ts";
import { encryptionCheck } from "./server/store/encryption_check.ts";
import { journalStore } from "./server/store/journal.ts";
import { openStore } from "./server/store/open.ts";
import { workspaceStore } from "./server/store/workspaces.ts";
import { endLog, startLog } from "./server/telemetry/log.ts";

/** A running service, short of a port. */
export interface Inlet {
  readonly config: Config;
  /** Answers one request. */
  fetch(request: Request): Response | Promise<Response>;
  /**
   * Refuses new requests, ends the live streams and waits for the requests under way, `SHUTDOWN_TIMEOUT` at most.
   * Whoever holds the port can close it then.
   */
  drain(): Promise<void>;
  /** Lets go of broker and store; to be called after {@link drain}. */
  close(): Promise<void>;
}

/** How often the store is asked for changes by other processes: a local file does not tell of them. */
const REFRESH_INTERVAL_MS = 5000;

/** How long `deno serve` may take to end by itself. */
const EXIT_AFTER_MS = 1000;

const log = getLogger(["inlet"]);

async function startInlet(): Promise<Inlet> {
  const config = loadConfig((name) => Deno.env.get(name));
  await startLog(config);
  if (!["127.0.0.1", "localhost", "::1"].includes(config.host)) {
    log.warning("HOST is {host}: whoever reaches it can change settings, for callers are not asked who they are", {
      host: config.host,
    });
  }
  const kv = await openStore(config.kvPath);
  const sealer = await openSealer(config, kv);
  log.info("the store is {path}", { path: config.kvPath ?? "the platform's own" });
  const connectorConfigs = connectorConfigStore(kv, sealer);
  const exchange = await openExchange(config);
  const now = () => new Date();
  const { app, receivers, hub, recorder, dashboard } = createService({
    connectors: catalogue,
    workspaces: workspaceStore(kv),
    connectorConfigs,
    tokens,
    exchange,
    checkStore: () => checkStore(kv),
    now,
    deliveries: openDeliveries(config, kv, sealer, now),
    activity: activityStore(kv),
    journal: openJournal(config, kv),
    readExample: readFixture,
    listExamples: fixtureNames,
    readGuide,
    publicUrl: config.publicUrl,
    maxBodyBytes: config.maxBodyBytes,
  });
  const pages = await openPages(dashboard);
  app.notFound(async (c) => await pages(c.req.raw) ?? notFound(c));
  await receivers.refresh();
  const stopping = new AbortController();
  keepFresh(receivers, connectorConfigs, stopping.signal);
  const { fetch, drain } = drainingHandler((request) => app.fetch(request), () => {
    return respondWithProblem(new StoppingError("Cannot take the request: the service is stopping"));
  });
  return {
    config,
    fetch,
    async drain() {
      log.info("stopping");
      hub.close();
      await Promise.race([drain(), expire(config.shutdownTimeoutMs)]);
    },
    async close() {
      stopping.abort();
      await recorder.flush();
      await exchange.close();
      kv.close();
      log.info("stopped");
      await endLog();
    },
  };
}

/** What the API owns: a path below it that is not there is answered as the API does, also to a browser. */
const API_PATH = /^\/(?:setup|connectors|webhooks|events|healthz|readyz|openapi\.json)(?:\/|$)/;

/** Makes the dashboard of its build, which `deno task start` sees to. Gives `undefined` for what is not its own. */
async function openPages(dashboard: Dashboard): Promise<(request: Request) => Promise<Response> | undefined> {
  const { default: snapshot }: { default: Snapshot } = await import("./_fresh/snapshot.js").catch((error) => {
    throw new ConfigError(`Cannot start: the dashboard is not built, run: deno task build (${error.message})`);
  });
  const answer = new App<State>()
    .use((ctx) => {
      ctx.state.dashboard = dashboard;
      return ctx.next();
    })
    .use(staticFiles())
    .fsRoutes()
    .applySnapshot(snapshot)
    .handler();
  return (request) => {
    const { pathname } = new URL(request.url);
    const ours = pathname === "/" || pathname.startsWith(PAGES_PATH) || pathname in snapshot.manifest.files;
    const browsed = !API_PATH.test(pathname) && request.headers.get("accept")?.includes("text/html");
    return ours || browsed ? answer(request) : undefined;
  };
}

/** Resolves late; does not keep the process alive. */
async function expire(timeoutMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  Deno.unrefTimer(setTimeout(resolve, timeoutMs));
  await promise;
  log.warning("requests under way were given up: they took longer than SHUTDOWN_TIMEOUT");
}

async function openExchange(config: Config): Promise<Exchange> {
  if (config.amqpUrl !== undefined) return await connectAmqpExchange({ ...config, url: config.amqpUrl });
  log.warning("AMQP_URL is not set: events reach only the live stream, and nothing keeps them");
  return embeddedExchange();
}

function openDeliveries(config: Config, kv: Deno.Kv, sealer: Sealer, now: () => Date): DeliveryStore | undefined {
  const retention = { ageMs: config.deliveryRetentionMs, count: config.deliveryRetentionCount };
  if (retention.ageMs === 0 || retention.count === 0) return undefined;
  return deliveryStore(kv, { sealer, retention, now });
}

function openJournal(config: Config, kv: Deno.Kv): Journal | undefined {
  const retention = { ageMs: config.journalRetentionMs, count: config.journalRetentionCount };
  return retention.ageMs === 0 || retention.count === 0 ? undefined : journalStore(kv, retention);
}

/** Opens the sealer with the operator's key or the one beside the store, and proves that it is the store's. */
async function openSealer(config: Config, kv: Deno.Kv): Promise<Sealer> {
  const check = encryptionCheck(kv);
  const existing = await check.get();
  const sealer = await createSealer(await findKey(config, existing !== undefined));
  if (existing === undefined && await check.create(await sealCheck(sealer))) return sealer;
  const stored = existing ?? await check.get();
  if (stored !== undefined && await opensCheck(sealer, stored)) return sealer;
  throw new EncryptionKeyError(
    `Cannot start: the encryption key is not the one that the store was written with. Restore that key (${
      config.encryptionKey === undefined ? keyPathOf(config.kvPath) : "ENCRYPTION_KEY"
    }), or set KV_PATH to begin a new store`,
  );
}

async function findKey({ encryptionKey, kvPath }: Config, storeIsWritten: boolean): Promise<Uint8Array<ArrayBuffer>> {
  if (encryptionKey !== undefined) return parseKey(encryptionKey);
  if (!isLocalStore(kvPath)) {
    throw new EncryptionKeyError(
      "Cannot start: ENCRYPTION_KEY is not set, and there is no folder to keep a key in beside this store",
    );
  }
  const path = keyPathOf(kvPath);
  if (storeIsWritten && !await exists(path)) {
    throw new EncryptionKeyError(
      `Cannot start: the store was written with a key, and neither ENCRYPTION_KEY is set nor is there a file ${path}. ` +
        "Restore it, or set KV_PATH to begin a new store",
    );
  }
  const { key, created } = await loadOrCreateKeyFile(path);
  if (created) log.warning("made an encryption key in {path}: back it up, without it no secret can be read", { path });
  return key;
}

function keyPathOf(kvPath = ""): string {
  return `${folderOf(kvPath)}/encryption.key`;
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, (error) => {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  });
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

async function checkStore(kv: Deno.Kv): Promise<Health> {
  try {
    await encryptionCheck(kv).get();
    return { ok: true, detail: "readable" };
  } catch (error) {
    return { ok: false, detail: error instanceof Error ? error.message : String(error) };
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

/** Calls `stop` at the first SIGINT or SIGTERM. */
export function onStopSignal(stop: () => Promise<unknown>): void {
  let stopping: Promise<unknown> | undefined;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    // A terminal signals the whole group, and a task runner passes its own on: the second is not another wish.
    Deno.addSignalListener(signal, () => stopping ??= stop().catch(exitWith));
  }
}

/** The service, started; a server needs no more than its `fetch`. */
const inlet: Inlet = await startInlet().catch(exitWith);

// `deno serve` closes the port and waits until nothing is left to do; start.ts has signals of its own.
if (import.meta.main) {
  onStopSignal(async () => {
    await inlet.drain();
    await inlet.close();
    // A broker that does not answer may still hold its connection.
    Deno.unrefTimer(setTimeout(() => Deno.exit(0), EXIT_AFTER_MS));
  });
}

export default inlet;
