import assert from "node:assert/strict";
import { Scrape } from "../../tests/support/scrape.ts";
import { createMetrics, type Readings } from "./metrics.ts";

const NOW = new Date("2026-03-02T12:00:00Z");
const CALM: Readings = {
  isReady: true,
  isBrokerUp: true,
  unrouted: 0,
  streamClients: 0,
  spool: undefined,
  now: NOW,
};

Deno.test("metrics tell of each connector the poller that is furthest behind, and forget those that are off", async () => {
  const { meter, expose } = createMetrics();
  const email = { connectorId: "email", behindMs: 0, isFailing: false };
  meter.pollersStand([
    email,
    { ...email, behindMs: 90_000, isFailing: true },
    { ...email, isFailing: true },
    { ...email, connectorId: "calendar" },
  ]);
  const before = new Scrape(await expose(CALM));
  assert.deepEqual(
    ["email", "calendar"].map((connector) => [
      before.value(`inlet_poller_lag_seconds{connector="${connector}"}`),
      before.value(`inlet_pollers_failing{connector="${connector}"}`),
    ]),
    [[90, 2], [0, 0]],
  );
  meter.pollersStand([email]);
  const after = new Scrape(await expose(CALM));
  assert.equal(after.value('inlet_poller_lag_seconds{connector="email"}'), 0);
  for (const gauge of ["inlet_poller_lag_seconds", "inlet_pollers_failing"]) {
    assert.equal(after.value(`${gauge}{connector="calendar"}`), undefined);
  }
});

Deno.test("metrics count what the meter is told, in seconds", async () => {
  const { meter, expose } = createMetrics();
  meter.delivered("github", "published", 40);
  meter.refused("github", { reason: "malformed-body", fault: undefined }, 7000);
  meter.refusedUnknown();
  meter.confirmed(3, 20);
  meter.unconfirmed(2);
  meter.streamDropped();
  meter.polled("email", "failed");
  meter.stored("commit", 3000);
  const scrape = new Scrape(await expose(CALM));
  for (
    const [sample, expected] of [
      ['inlet_delivery_duration_seconds_bucket{le="0.025"}', 0],
      ['inlet_delivery_duration_seconds_bucket{le="0.05"}', 1],
      ["inlet_delivery_duration_seconds_sum", 7.04],
      ['inlet_delivery_refusals_total{connector="github",reason="malformed-body"}', 1],
      ['inlet_delivery_refusals_total{connector="unknown",reason="not-found"}', 1],
      ['inlet_deliveries_total{connector="unknown",outcome="refused"}', 1],
      ["inlet_events_published_total", 5],
      ["inlet_publish_failures_total", 1],
      ["inlet_publish_confirm_seconds_sum", 0.02],
      ["inlet_stream_drops_total", 1],
      ['inlet_polls_total{connector="email",outcome="failed"}', 1],
      ['inlet_store_duration_seconds_sum{operation="commit"}', 3],
    ] as const
  ) assert.equal(scrape.value(sample), expected, sample);
  assert.ok(!scrape.text.includes("inlet_verify_failures_total{"), "its signature was good");
});

Deno.test("metrics tell what was looked up, and totals do not grow by being read", async () => {
  const { expose } = createMetrics();
  const spool = {
    events: 5,
    bytes: 700,
    deadLetters: 2,
    limitBytes: 1000,
    oldestAt: new Date(NOW.getTime() - 90_000),
  };
  const readings = { ...CALM, isReady: false, unrouted: 4, streamClients: 3, spool };
  await expose(readings);
  const scrape = new Scrape(await expose(readings));
  for (
    const [sample, expected] of [
      ["inlet_ready", 0],
      ["inlet_broker_up", 1],
      ["inlet_events_unrouted_total", 4],
      ["inlet_stream_clients", 3],
      ["inlet_spool_events", 5],
      ["inlet_spool_bytes", 700],
      ["inlet_spool_limit_bytes", 1000],
      ["inlet_spool_oldest_age_seconds", 90],
      ["inlet_dead_letters", 2],
    ] as const
  ) assert.equal(scrape.value(sample), expected, sample);
  const ahead = { ...spool, oldestAt: new Date(NOW.getTime() + 5000) };
  const set = new Scrape(await expose({ ...readings, spool: ahead }));
  assert.equal(set.value("inlet_spool_oldest_age_seconds"), 0, "another process's clock is ahead");
});
