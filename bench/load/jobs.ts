/** What the load generator can be told, and what it says: a line of JSON each. */
import { z } from "zod";

const ports = z.url({ hostname: /^127\.0\.0\.1$/ });

const loadSchema = z.object({
  kind: z.literal("load"),
  /** Webhook URLs, which take turns. */
  urls: z.array(ports).min(1),
  connections: z.int().positive(),
  /** How long deliveries are sent. */
  seconds: z.number().positive(),
  /** No more than this many. */
  most: z.int().positive().optional(),
  /**
   * Sends at this rate whatever the answers take, and counts latency from when a delivery was to be sent. Left out: each
   * connection sends its next delivery when the last was answered.
   */
  perSecond: z.number().positive().optional(),
});

const listenSchema = z.object({
  kind: z.literal("listen"),
  /** The URL of a live stream, and how many clients are to have it open until the generator ends. */
  url: ports,
  clients: z.int().positive(),
});

const heardSchema = z.object({
  kind: z.literal("heard"),
  /** Resolves when each client of the last `listen` has heard this many events since it began. */
  events: z.int().nonnegative(),
  withinSeconds: z.number().positive(),
});

const fanoutSchema = z.object({
  kind: z.literal("fanout"),
  streamUrl: ports,
  clients: z.int().positive(),
  /** Webhook URL. */
  url: ports,
  connections: z.int().positive(),
  seconds: z.number().positive(),
  /** How many events may be on their way to the slowest client. */
  window: z.int().positive(),
});

/** A job of the load generator. */
export const jobSchema = z.discriminatedUnion("kind", [loadSchema, listenSchema, heardSchema, fanoutSchema]);

/** A job of the load generator. */
export type Job = z.output<typeof jobSchema>;
/** Sends deliveries. */
export type LoadJob = z.output<typeof loadSchema>;
/** Sends deliveries as fast as all clients of a live stream hear of them. */
export type FanoutJob = z.output<typeof fanoutSchema>;

/** How a {@link LoadJob} went. */
export const loadResultSchema = z.object({
  /** How often which status came. */
  statuses: z.record(z.string(), z.int()),
  /** Events, as the answers say. */
  published: z.int(),
  queued: z.int(),
  /** From the first delivery to the last answer. */
  seconds: z.number(),
  latencyMs: z.object({ p50: z.number(), p99: z.number(), max: z.number() }),
  /** Time that the generator itself took of a processor. */
  cpuMs: z.number(),
});
/** How a {@link LoadJob} went. */
export type LoadResult = z.output<typeof loadResultSchema>;

/** What became of a stream job: the fewest and the most events that a client has heard. */
export const heardResultSchema = z.object({ least: z.int(), most: z.int() });

/** How a {@link FanoutJob} went. */
export const fanoutResultSchema = z.object({
  /** Events sent; each client heard as many. */
  events: z.int(),
  seconds: z.number(),
});

/** What the generator says instead of a result when a job failed. */
export const failureSchema = z.object({ failure: z.string() });
