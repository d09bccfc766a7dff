import { z } from "zod";
import type { Connector } from "../../connectors/kit/mod.ts";
import { readEventExample } from "../../connectors/examples.ts";
import { actAs } from "../../server/access/acting.ts";
import { createAccess } from "../../server/access/access.ts";
import { adminCaller, type Caller } from "../../server/access/caller.ts";
import { createAudit } from "../../server/audit/audit.ts";
import { embeddedExchange } from "../../server/broker/embedded.ts";
import { journaling } from "../../server/broker/journaling.ts";
import { createSealer } from "../../server/crypto/seal.ts";
import { tokens } from "../../server/crypto/token.ts";
import type { Recorder } from "../../server/deliveries/recorder.ts";
import type { Dashboard } from "../../server/dashboard.ts";
import type { Replay } from "../../server/deliveries/replay.ts";
import type { DeliveryStore, Exchange, SerializedEvent, SpoolingExchange } from "../../server/deps.ts";
import { BrokerUnavailableError } from "../../server/errors.ts";
import type { Limits } from "../../server/limits.ts";
import type { Scheduler } from "../../server/poller/scheduler.ts";
import { createService } from "../../server/service.ts";
import { apiKeyStore } from "../../server/store/api_keys.ts";
import { sessionStore } from "../../server/store/sessions.ts";
import { auditStore } from "../../server/store/audit.ts";
import { connectorConfigStore } from "../../server/store/connector_configs.ts";
import { activityStore } from "../../server/store/activity.ts";
import { acceptedDeliveries } from "../../server/store/accepted.ts";
import { deadLetterStore } from "../../server/store/dead_letters.ts";
import { deliveryStore } from "../../server/store/deliveries.ts";
import { journalStore } from "../../server/store/journal.ts";
import { leaseStore } from "../../server/store/leases.ts";
import { pollerStateStore } from "../../server/store/poller_states.ts";
import { workspaceStore } from "../../server/store/workspaces.ts";
import { Described } from "./described.ts";
import { sample, SAMPLE_SECRET, unsignedSample } from "./sample.ts";

const LIMITS: Limits = {
  maxBodyBytes: 1024 * 1024,
  bodyTimeoutMs: 30_000,
  bodyMemoryBytes: 16 * 1024 * 1024,
  maxEventsPerDelivery: 5000,
  maxJsonDepth: 64,
  rateLimit: 0,
  rateLimitBurst: 0,
  maxStreams: 1000,
};

/** What a test can set; the rest is as in production, over a store in memory and the embedded exchange. */
export interface TestServiceOptions {
  readonly connectors?: readonly Connector[];
  readonly exchange?: Exchange;
  readonly spooling?: SpoolingExchange;
  /** Whether deliveries are recognized when they come again. Default: not. */
  readonly once?: boolean;
  /** Whether publishing fails just now. */
  readonly breaks?: () => boolean;
  readonly limits?: Partial<Limits>;
  readonly routingKey?: string;
  readonly messageFormat?: "normalized" | "cloudevents";
  readonly now?: () => Date;
}

/** What the API says of its answers: the same whatever a test sets. */
let described: Promise<Described> | undefined;

/**
 * The app of a test, reached without a port, by the administrator unless another caller is given. It fails where an answer
 * is not as `GET /openapi.json` describes it.
 */
export interface TestApp {
  request(path: string, init?: RequestInit, caller?: Caller): Promise<Response>;
}

/** A service without a port: `app.request()` reaches it. */
export class TestService implements AsyncDisposable {
  /** Everything published on the embedded exchange, in order. */
  readonly published: SerializedEvent[] = [];

  private constructor(
    readonly app: TestApp,
    readonly kv: Deno.Kv,
    readonly deliveries: DeliveryStore,
    readonly recorder: Recorder,
    readonly replay: Replay,
    readonly dashboard: Dashboard,
    readonly scheduler: Scheduler,
    private readonly settle: () => Promise<void>,
  ) {}

  /** Makes one; it is to be disposed of (`await using`). */
  static async start(options: TestServiceOptions = {}): Promise<TestService> {
    const kv = await Deno.openKv(":memory:");
    const embedded = embeddedExchange();
    const sealer = await createSealer(new Uint8Array(32));
    const now = options.now ?? (() => new Date("2026-01-02T03:04:05.678Z"));
    const audit = createAudit({ audit: auditStore(kv, 86_400_000), now });
    const deliveries = deliveryStore(kv, { sealer, retention: { ageMs: 86_400_000, count: 1000 }, now });
    const dedupeWindowMs = options.once ? 86_400_000 : 0;
    const retention = { ageMs: 86_400_000, count: 10_000 };
    const journal = journalStore(kv, { sealer, retention, dedupeWindowMs, now });
    const accepted = options.once ? acceptedDeliveries(kv, { windowMs: dedupeWindowMs, now }) : undefined;
    const { app, receivers, scheduler, hub, recorder, replay, dashboard } = createService({
      connectors: options.connectors ?? [sample],
      workspaces: workspaceStore(kv, now),
      connectorConfigs: connectorConfigStore(kv, sealer),
      tokens,
      audit,
      access: createAccess({
        audit,
        adminToken: undefined,
        sessionLifetimeMs: 1000,
        sessions: sessionStore(kv, now),
        apiKeys: apiKeyStore(kv),
        tokens,
        now,
      }),
      apiKeys: apiKeyStore(kv),
      deliveries,
      activity: activityStore(kv),
      journal,
      accepted,
      pollerStates: pollerStateStore(kv, sealer),
      leases: leaseStore(kv, now),
      random: () => 0,
      readGuide: () => Promise.resolve("# Sample\n\n1. Send."),
      listExamples: () => Promise.resolve(["hello"]),
      readEventExample,
      readExample: (_, example, deliveryId) => Promise.resolve(unsignedSample(example, deliveryId)),
      exchange: options.spooling ?? options.exchange ??
        journaling(breaking(embedded, options.breaks), { journal, accepted, live: embedded.live }),
      spooling: options.spooling,
      live: embedded.live,
      deadLetters: deadLetterStore(kv, { sealer, now }),
      checkStore: () => Promise.resolve({ ok: true, detail: "readable" }),
      now,
      publishing: {
        exchange: "inlet.events",
        routingKey: options.routingKey ?? "{type}",
        messageFormat: options.messageFormat ?? "normalized",
      },
      publicUrl: "http://localhost:3200",
      limits: { ...LIMITS, ...options.limits },
    });
    await receivers.refresh();
    const testApp: TestApp = {
      async request(path, init, caller = adminCaller("test")) {
        const ask = async (path: string, init?: RequestInit) =>
          await app.request(path, init, { caller, info: undefined });
        described ??= ask("/openapi.json").then(async (response) => new Described(await response.json()));
        const response = await actAs(caller, () => ask(path, init));
        await (await described).check(init?.method ?? "GET", path, response);
        return response;
      },
    };
    const settle = async () => {
      hub.close();
      await scheduler.stop();
      await recorder.flush();
      await journal.idle();
    };
    const service = new TestService(testApp, kv, deliveries, recorder, replay, dashboard, scheduler, settle);
    await embedded.live.subscribe((events) => void service.published.push(...events));
    return service;
  }

  /** Sends JSON. */
  post(path: string, body: unknown): Promise<Response> {
    const headers = { "content-type": "application/json" };
    return Promise.resolve(this.app.request(path, { method: "POST", headers, body: JSON.stringify(body) }));
  }

  /** Creates the first workspace and gives its id. */
  async setUp(): Promise<string> {
    return z.object({ workspaceId: z.string() }).parse(
      await (await this.post("/setup", { workspaceName: "Acme" })).json(),
    )
      .workspaceId;
  }

  /** Enables the sample connector and gives the path of its webhook URL. */
  async enableSample(workspaceId: string, config: Record<string, unknown> = {}): Promise<string> {
    const secrets = { signingSecret: SAMPLE_SECRET };
    const response = await this.post("/connectors/sample/configure", { workspaceId, enabled: true, config, secrets });
    return new URL(z.object({ webhookUrl: z.string() }).parse(await response.json()).webhookUrl).pathname;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.settle();
    this.kv.close();
  }
}

/** The embedded exchange, which does not confirm while `breaks` says so. */
function breaking(exchange: Exchange, breaks: () => boolean = () => false): Exchange {
  const refuse = () => Promise.reject(new BrokerUnavailableError("Cannot publish: broken for a test"));
  return { ...exchange, publish: (events) => breaks() ? refuse() : exchange.publish(events) };
}
