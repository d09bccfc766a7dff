/** The metrics of the real process, before a real broker: the figures are those of what happened. */
import assert from "node:assert/strict";
import { DEFINITIONS } from "../server/telemetry/definitions.ts";
import { InletProcess } from "./support/inlet.ts";
import { answerOf, LANE_SECRET, numberedDelivery } from "./support/lanes.ts";
import { promtool } from "./support/promtool.ts";
import { providePrivateNode } from "./support/rabbitmq.ts";
import { Scrape } from "./support/scrape.ts";
import { StreamClient } from "./support/streams.ts";

async function statusOf(url: string, delivery: RequestInit): Promise<number> {
  const response = await fetch(url, delivery);
  await response.body?.cancel();
  return response.status;
}

/** A delivery with headers changed; `undefined` leaves one out. */
function changed(delivery: RequestInit, change: Record<string, string | undefined>): RequestInit {
  const headers = new Headers(delivery.headers);
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) headers.delete(name);
    else headers.set(name, value);
  }
  return { ...delivery, headers };
}

const delivered = (outcome: string) => `inlet_deliveries_total{connector="github",outcome="${outcome}"}`;
const refused = (reason: string) => `inlet_delivery_refusals_total{connector="github",reason="${reason}"}`;
const unverified = (reason: string) => `inlet_verify_failures_total{connector="github",reason="${reason}"}`;

Deno.test("GET /metrics tells what became of deliveries, broker, spool and streams, as promtool wants it", async () => {
  const node = await providePrivateNode();
  try {
    await using inlet = await InletProcess.start({
      env: { AMQP_URL: node.url, AMQP_EXCHANGE: `metrics.${crypto.randomUUID()}`, PUBLISH_TIMEOUT: "1m" },
    });
    const workspaceId = await inlet.setUp();
    const url = await inlet.enable(workspaceId, "github", { webhookSecret: LANE_SECRET });

    for (const number of [0, 1, 2, 2]) assert.equal((await answerOf(url, numberedDelivery(0, number))).status, 200);
    const next = numberedDelivery(0, 3);
    assert.equal(await statusOf(url, changed(next, { "x-github-event": "ping" })), 200);
    const forged = { "x-hub-signature-256": `sha256=${"0".repeat(64)}` };
    assert.equal(await statusOf(url, changed(next, forged)), 401);
    assert.equal(await statusOf(url, changed(next, forged)), 401);
    assert.equal(await statusOf(url, changed(next, { "x-hub-signature-256": undefined })), 401);
    assert.equal(await statusOf(`${url}x`, next), 404);
    const accepted = await Scrape.of(inlet.url);
    assert.deepEqual(
      ["published", "duplicate", "empty", "refused", "spooled"].map((outcome) => accepted.value(delivered(outcome))),
      [3, 1, 1, 3, undefined],
    );
    assert.equal(accepted.value(refused("invalid-signature")), 3);
    assert.deepEqual([accepted.value(unverified("mismatch")), accepted.value(unverified("missing"))], [2, 1]);
    assert.equal(accepted.value('inlet_deliveries_total{connector="unknown",outcome="refused"}'), 1);
    for (
      const [sample, expected] of [
        ["inlet_delivery_duration_seconds_count", 8],
        ["inlet_events_published_total", 3],
        ["inlet_publish_confirm_seconds_count", 3],
        ["inlet_events_unrouted_total", 3],
        ["inlet_ready", 1],
        ["inlet_broker_up", 1],
        ["inlet_spool_events", 0],
        ["inlet_spool_oldest_age_seconds", 0],
        ["inlet_spool_limit_bytes", 1_073_741_824],
        ["inlet_stream_clients", 0],
      ] as const
    ) assert.equal(accepted.value(sample), expected, sample);
    for (
      const sample of [
        'inlet_store_duration_seconds_count{operation="read"}',
        'inlet_store_duration_seconds_count{operation="commit"}',
        "process_cpu_seconds_total",
        "process_resident_memory_bytes",
        "inlet_heap_bytes",
      ]
    ) assert.ok((accepted.value(sample) ?? 0) > 0, sample);
    const startedAt = new Date((accepted.value("process_start_time_seconds") ?? 0) * 1000);
    assert.ok(startedAt < new Date() && startedAt > new Date(Date.now() - 3_600_000), startedAt.toISOString());
    assert.deepEqual(accepted.names().sort(), Object.keys(DEFINITIONS).sort());
    for (const secret of [workspaceId, new URL(url).pathname.split("/").at(-1) ?? "", LANE_SECRET]) {
      assert.ok(!accepted.text.includes(secret));
    }
    assert.deepEqual(await promtool(["check", "metrics"], accepted.text), { ok: true, output: "" });

    const stream = await StreamClient.open(inlet.url, workspaceId);
    await Scrape.until(inlet.url, (scrape) => scrape.value("inlet_stream_clients") === 1);
    stream[Symbol.dispose]();
    await Scrape.until(inlet.url, (scrape) => scrape.value("inlet_stream_clients") === 0);

    await node.kill();
    await Scrape.until(inlet.url, (scrape) => scrape.value("inlet_broker_up") === 0);
    for (const number of [3, 4]) assert.equal((await answerOf(url, numberedDelivery(0, number))).status, 202);
    const down = await Scrape.until(inlet.url, (scrape) => scrape.value("inlet_spool_oldest_age_seconds") !== 0);
    assert.deepEqual(
      [down.value("inlet_spool_events"), down.value(delivered("spooled")), down.value("inlet_ready")],
      [2, 2, 1],
    );
    assert.ok((down.value("inlet_spool_bytes") ?? 0) > 1000);
    await node.restart();
    const up = await Scrape.until(inlet.url, (scrape) => scrape.value("inlet_spool_events") === 0);
    assert.ok((up.value("inlet_events_published_total") ?? 0) >= 5);
    assert.deepEqual([up.value("inlet_broker_up"), up.value("inlet_spool_bytes")], [1, 0]);
  } finally {
    await node.stop();
  }
});
