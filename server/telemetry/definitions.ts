/** A metric as `GET /metrics` tells it. */
export interface MetricDefinition {
  readonly type: "counter" | "gauge" | "histogram";
  /** What is counted or measured, for the exposition and for docs/operating.md. */
  readonly help: string;
  /** Names of its labels; each has few values, whatever users and strangers do. */
  readonly labels: readonly string[];
  /** Upper bounds of a histogram's buckets, in the unit of its name. */
  readonly buckets?: readonly number[];
}

/** From half a millisecond to ten seconds. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Every metric of Inlet's own: its name, its labels and its meaning, said here and nowhere else. Names as
 * https://prometheus.io/docs/practices/naming/ wants them: base units, `_total` for counters.
 */
export const DEFINITIONS = {
  inlet_deliveries_total: {
    type: "counter",
    help: "Deliveries that were answered, by outcome: published, spooled, duplicate, empty (becomes no event), refused",
    labels: ["connector", "outcome"],
  },
  inlet_delivery_refusals_total: {
    type: "counter",
    help: "Refused deliveries, by the kind of problem that they were answered with",
    labels: ["connector", "reason"],
  },
  inlet_verify_failures_total: {
    type: "counter",
    help: "Deliveries whose signature was refused: missing, malformed, mismatch, stale, or unset (there is no secret)",
    labels: ["connector", "reason"],
  },
  inlet_delivery_duration_seconds: {
    type: "histogram",
    help: "Time from a delivery's head to its answer",
    labels: [],
    buckets: SECONDS,
  },
  inlet_events_published_total: {
    type: "counter",
    help: "Events that the broker confirmed, at once or out of the spool",
    labels: [],
  },
  inlet_events_unrouted_total: {
    type: "counter",
    help: "Events among them that no queue was bound for",
    labels: [],
  },
  inlet_publish_confirm_seconds: {
    type: "histogram",
    help: "Time until the broker confirmed what was published together",
    labels: [],
    buckets: SECONDS,
  },
  inlet_publish_failures_total: {
    type: "counter",
    help: "Times that the broker did not confirm all that was published together",
    labels: [],
  },
  inlet_ready: {
    type: "gauge",
    help: "1 while deliveries can be accepted, as GET /readyz tells it; else 0",
    labels: [],
  },
  inlet_broker_up: { type: "gauge", help: "1 while the broker takes events; else 0", labels: [] },
  inlet_spool_events: {
    type: "gauge",
    help: "Events that wait for the broker, of all processes on the store",
    labels: [],
  },
  inlet_spool_bytes: {
    type: "gauge",
    help: "What counts towards SPOOL_MAX_BYTES: those events and the dead letters, of all processes on the store",
    labels: [],
  },
  inlet_spool_limit_bytes: { type: "gauge", help: "SPOOL_MAX_BYTES", labels: [] },
  inlet_spool_oldest_age_seconds: {
    type: "gauge",
    help: "For how long the oldest event in the spool has waited; 0 if none waits",
    labels: [],
  },
  inlet_dead_letters: {
    type: "gauge",
    help: "Events that the broker did not take, set aside, of all processes on the store",
    labels: [],
  },
  inlet_stream_clients: { type: "gauge", help: "Live streams that are open", labels: [] },
  inlet_stream_drops_total: {
    type: "counter",
    help: "Live streams that were ended because their client did not read, or what it had missed could not be read",
    labels: [],
  },
  inlet_polls_total: {
    type: "counter",
    help: "Runs of pollers, by outcome: succeeded, failed",
    labels: ["connector", "outcome"],
  },
  inlet_poller_lag_seconds: {
    type: "gauge",
    help: "For how long the poller that is furthest behind should have been read to its end; looked at once a minute",
    labels: ["connector"],
  },
  inlet_pollers_failing: {
    type: "gauge",
    help: "Pollers whose newest run failed; looked at once a minute",
    labels: ["connector"],
  },
  inlet_store_duration_seconds: {
    type: "histogram",
    help: "Time that an access of the store took, by operation: read, commit",
    labels: ["operation"],
    buckets: SECONDS,
  },
  inlet_heap_bytes: { type: "gauge", help: "JavaScript heap in use", labels: [] },
  inlet_event_loop_lag_seconds: {
    type: "gauge",
    help: "How late the event loop came to a task that was due, when the metrics were read",
    labels: [],
  },
  process_cpu_seconds_total: { type: "counter", help: "User and system CPU time", labels: [] },
  process_resident_memory_bytes: { type: "gauge", help: "Resident memory", labels: [] },
  process_start_time_seconds: {
    type: "gauge",
    help: "When the process started, in seconds since the epoch",
    labels: [],
  },
} as const satisfies Record<string, MetricDefinition>;

/** The name of a metric. */
export type MetricName = keyof typeof DEFINITIONS;
