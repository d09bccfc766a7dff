import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { SpoolState } from "../deps.ts";
import type { Meter } from "../metering.ts";
import { DEFINITIONS, type MetricName } from "./definitions.ts";
import { readProcess } from "./process.ts";

/** What is looked up when the metrics are read, and not counted as it happens. */
export interface Readings {
  readonly isReady: boolean;
  readonly isBrokerUp: boolean;
  /** Events that no queue was bound for, since the start. */
  readonly unrouted: number;
  readonly streamClients: number;
  /** `undefined` where there is no broker to wait for, or the spool cannot be read. */
  readonly spool: SpoolState | undefined;
  readonly now: Date;
}

/** The metrics of a process: counted by {@link Metrics.meter}, and written out when somebody asks. */
export interface Metrics {
  readonly meter: Meter;
  /** Media type of {@link expose}'s text. */
  readonly contentType: string;
  /** All metrics in Prometheus' text format (https://prometheus.io/docs/instrumenting/exposition_formats/). */
  expose(readings: Readings): Promise<string>;
}

/** The names of metrics of one type. */
type NameOf<Type> = {
  [Name in MetricName]: (typeof DEFINITIONS)[Name]["type"] extends Type ? Name : never;
}[MetricName];

/** Makes the metrics that {@link DEFINITIONS} defines. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const configOf = <Name extends MetricName>(name: Name) => {
    const { help, labels } = DEFINITIONS[name];
    return { name, help, labelNames: [...labels], registers: [registry] };
  };
  const counter = (name: NameOf<"counter">) => new Counter<string>(configOf(name));
  const gauge = (name: NameOf<"gauge">) => new Gauge<string>(configOf(name));
  const histogram = (name: NameOf<"histogram">) =>
    new Histogram<string>({ ...configOf(name), buckets: [...DEFINITIONS[name].buckets] });

  const deliveries = counter("inlet_deliveries_total");
  const refusals = counter("inlet_delivery_refusals_total");
  const verifyFailures = counter("inlet_verify_failures_total");
  const deliveryDuration = histogram("inlet_delivery_duration_seconds");
  const published = counter("inlet_events_published_total");
  const confirms = histogram("inlet_publish_confirm_seconds");
  const publishFailures = counter("inlet_publish_failures_total");
  const streamDrops = counter("inlet_stream_drops_total");
  const polls = counter("inlet_polls_total");
  const pollerLag = gauge("inlet_poller_lag_seconds");
  const pollersFailing = gauge("inlet_pollers_failing");
  const store = histogram("inlet_store_duration_seconds");

  const ready = gauge("inlet_ready");
  const brokerUp = gauge("inlet_broker_up");
  const unrouted = counter("inlet_events_unrouted_total");
  const spoolEvents = gauge("inlet_spool_events");
  const spoolBytes = gauge("inlet_spool_bytes");
  const spoolLimit = gauge("inlet_spool_limit_bytes");
  const spoolAge = gauge("inlet_spool_oldest_age_seconds");
  const deadLetters = gauge("inlet_dead_letters");
  const streamClients = gauge("inlet_stream_clients");
  const heap = gauge("inlet_heap_bytes");
  const loopLag = gauge("inlet_event_loop_lag_seconds");
  const cpu = counter("process_cpu_seconds_total");
  const resident = gauge("process_resident_memory_bytes");
  const startTime = gauge("process_start_time_seconds");

  const meter: Meter = {
    delivered(connector, outcome, durationMs) {
      deliveries.inc({ connector, outcome });
      deliveryDuration.observe(durationMs / 1000);
    },
    refused(connector, { reason, fault }, durationMs) {
      deliveries.inc({ connector, outcome: "refused" });
      refusals.inc({ connector, reason });
      if (fault !== undefined) verifyFailures.inc({ connector, reason: fault });
      deliveryDuration.observe(durationMs / 1000);
    },
    refusedUnknown() {
      deliveries.inc({ connector: "unknown", outcome: "refused" });
      refusals.inc({ connector: "unknown", reason: "not-found" });
    },
    confirmed(events, durationMs) {
      published.inc(events);
      confirms.observe(durationMs / 1000);
    },
    unconfirmed(events) {
      published.inc(events);
      publishFailures.inc();
    },
    streamDropped: () => streamDrops.inc(),
    polled: (connector, outcome) => polls.inc({ connector, outcome }),
    pollersStand(standings) {
      pollerLag.reset();
      pollersFailing.reset();
      for (const [connector, of] of Map.groupBy(standings, ({ connectorId }) => connectorId)) {
        pollerLag.set({ connector }, Math.max(...of.map(({ behindMs }) => behindMs)) / 1000);
        pollersFailing.set({ connector }, of.filter(({ isFailing }) => isFailing).length);
      }
    },
    stored: (operation, durationMs) => store.observe({ operation }, durationMs / 1000),
  };

  async function look(readings: Readings): Promise<void> {
    ready.set(Number(readings.isReady));
    brokerUp.set(Number(readings.isBrokerUp));
    setTotal(unrouted, readings.unrouted);
    streamClients.set(readings.streamClients);
    const { events = 0, bytes = 0, limitBytes = 0, deadLetters: letters = 0, oldestAt } = readings.spool ?? {};
    spoolEvents.set(events);
    spoolBytes.set(bytes);
    spoolLimit.set(limitBytes);
    spoolAge.set(oldestAt === undefined ? 0 : Math.max(0, readings.now.getTime() - oldestAt.getTime()) / 1000);
    deadLetters.set(letters);
    const { cpuSeconds, residentBytes, heapBytes, startedAtSeconds, loopLagSeconds } = await readProcess();
    setTotal(cpu, cpuSeconds);
    resident.set(residentBytes);
    heap.set(heapBytes);
    startTime.set(startedAtSeconds);
    loopLag.set(loopLagSeconds);
  }

  return {
    meter,
    contentType: registry.contentType,
    async expose(readings) {
      await look(readings);
      return await registry.metrics();
    },
  };
}

/** Sets a counter that is counted elsewhere; {@link Counter} itself can only be added to. */
function setTotal(counter: Counter<string>, total: number): void {
  counter.reset();
  counter.inc(total);
}
