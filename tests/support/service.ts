import type { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import type { WebhookConnector } from "../../connectors/kit/mod.ts";
import { embeddedExchange } from "../../server/broker/embedded.ts";
import { createSealer } from "../../server/crypto/seal.ts";
import { tokens } from "../../server/crypto/token.ts";
import type { Recorder } from "../../server/deliveries/recorder.ts";
import type { Dashboard } from "../../server/dashboard.ts";
import type { Replay } from "../../server/deliveries/replay.ts";
import type { DeliveryStore, Exchange, SerializedEvent } from "../../server/deps.ts";
import { createService } from "../../server/service.ts";
import { connectorConfigStore } from "../../server/store/connector_configs.ts";
import { activityStore } from "../../server/store/activity.ts";
import { deliveryStore } from "../../server/store/deliveries.ts";
import { journalStore } from "../../server/store/journal.ts";
import { workspaceStore } from "../../server/store/workspaces.ts";
import { sample, SAMPLE_SECRET, unsignedSample } from "./sample.ts";

/** What a test can set; the rest is as in production, over a store in memory and the embedded exchange. */
export interface TestServiceOptions {
  readonly connectors?: readonly WebhookConnector[];
  readonly exchange?: Exchange;
  readonly maxBodyBytes?: number;
  readonly now?: () => Date;
}

/** A service without a port: `app.request()` reaches it. */
export class TestService implements AsyncDisposable {
  /** Everything published on the embedded exchange, in order. */
  readonly published: SerializedEvent[] = [];

  private constructor(
    readonly app: OpenAPIHono,
    readonly kv: Deno.Kv,
    readonly deliveries: DeliveryStore,
    readonly recorder: Recorder,
    readonly replay: Replay,
    readonly dashboard: Dashboard,
    private readonly closeStreams: () => void,
  ) {}

  /** Makes one; it is to be disposed of (`await using`). */
  static async start(options: TestServiceOptions = {}): Promise<TestService> {
    const kv = await Deno.openKv(":memory:");
    const embedded = embeddedExchange();
    const sealer = await createSealer(new Uint8Array(32));
    const now = options.now ?? (() => new Date("2026-01-02T03:04:05.678Z"));
    const deliveries = deliveryStore(kv, { sealer, retention: { ageMs: 86_400_000, count: 1000 }, now });
    const { app, receivers, hub, recorder, replay, dashboard } = createService({
      connectors: options.connectors ?? [sample],
      workspaces: workspaceStore(kv),
      connectorConfigs: connectorConfigStore(kv, sealer),
      tokens,
      deliveries,
      activity: activityStore(kv),
      journal: journalStore(kv, { ageMs: 86_400_000, count: 10_000 }),
      readGuide: () => Promise.resolve("# Sample\n\n1. Send."),
      listExamples: () => Promise.resolve(["hello"]),
      readExample: (_, example, deliveryId) => Promise.resolve(unsignedSample(example, deliveryId)),
      exchange: options.exchange ?? embedded,
      checkStore: () => Promise.resolve({ ok: true, detail: "readable" }),
      now,
      publicUrl: "http://localhost:3200",
      maxBodyBytes: options.maxBodyBytes ?? 1024 * 1024,
    });
    await receivers.refresh();
    const service = new TestService(app, kv, deliveries, recorder, replay, dashboard, () => hub.close());
    embedded.bind("#", (events) => service.published.push(...events));
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
    this.closeStreams();
    await this.recorder.flush();
    this.kv.close();
  }
}
