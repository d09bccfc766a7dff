import { z } from "zod";
import "../connectors/kit/words.ts";
import { isLoopback } from "./access/local.ts";
import { durationOrNoneSchema, durationSchema } from "./duration.ts";
import { ConfigError } from "./errors.ts";
import { DEFAULT_KV_PATH } from "./kv_path.ts";
import { LARGE_BODIES_PART, type Limits } from "./limits.ts";
import {
  amqpUrlsSchema,
  baseUrlSchema,
  hostSchema,
  keySchema,
  keysSchema,
  routingKeySchema,
  timeoutSchema,
  tokenSchema,
  wholeNumber,
} from "./setting_forms.ts";

/** Each variable that Inlet reads: its form, its default and its meaning, said here and nowhere else. */
const environmentSchema = z.object({
  PORT: wholeNumber(0, 65_535).prefault("3200")
    .describe("TCP port to listen on; `0` takes a free one, and wants `PUBLIC_URL`"),
  HOST: hostSchema.prefault("127.0.0.1").describe("Address to listen on; `0.0.0.0` for all interfaces"),
  ADMIN_TOKEN: tokenSchema.optional()
    .describe(
      "What the administrator signs in with, and API callers send as `Authorization: Bearer`. Unset: only requests from " +
        "this machine are served",
    ),
  METRICS_TOKEN: tokenSchema.optional()
    .describe(
      "What Prometheus sends as `Authorization: Bearer` to `GET /metrics`, and nowhere else. Unset: `ADMIN_TOKEN`",
    ),
  SESSION_LIFETIME: durationSchema.prefault("7d").describe("How long a sign-in to the dashboard holds"),
  PUBLIC_URL: baseUrlSchema.optional()
    .describe("Base of the webhook URLs: where senders reach this service. Unset: `http://localhost` with `PORT`"),
  KV_PATH: z.string().prefault(DEFAULT_KV_PATH)
    .refine((path) => !path.startsWith("~"), "expected a path; a shell expands ~ only where it is not quoted")
    .describe("File of the Deno KV store (made with its folder), or the `https://` URL of a KV Connect database"),
  ENCRYPTION_KEY: keySchema.optional()
    .describe(
      "Key that secrets are sealed with: 32 bytes in base64 or hex. Unset: made once, in `encryption.key` beside the store",
    ),
  ENCRYPTION_KEYS_OLD: keysSchema.prefault("")
    .describe("Keys that were replaced: what they sealed is still read. The command `rotate-key` makes them needless"),
  AMQP_URL: amqpUrlsSchema.optional()
    .describe(
      "RabbitMQ to publish to, such as `amqp://user:password@host:5672`; of a cluster, its nodes with commas between. " +
        "Unset: events reach only the live stream",
    ),
  AMQP_EXCHANGE: z.string().min(1).max(200).prefault("inlet.events").describe("Durable topic exchange to publish to"),
  AMQP_ROUTING_KEY: routingKeySchema.prefault("{type}")
    .describe("Template of the routing key: text with `{type}`, `{source}`, `{workspaceId}`"),
  MESSAGE_FORMAT: z.enum(["normalized", "cloudevents"]).prefault("normalized")
    .describe("Body of the broker's messages: the NormalizedEvent, or a CloudEvent 1.0 in structured mode"),
  PUBLISH_TIMEOUT: timeoutSchema.prefault("5s")
    .describe("How long to wait for the broker's confirm; then events are spooled. Less for sources that wait less"),
  SPOOL_MAX_BYTES: wholeNumber(0, Number.MAX_SAFE_INTEGER).prefault("1073741824")
    .describe(
      "Most bytes of events, as JSON, that are stored while the broker does not confirm, with the dead letters. The store takes about half as much again",
    ),
  DEDUPE_WINDOW: durationOrNoneSchema.prefault("3d")
    .describe("How long a delivery that was accepted is recognized when it comes again; `0`: not at all"),
  MAX_MESSAGE_BYTES: wholeNumber(1, 536_870_912).prefault("16777216")
    .describe("Largest event to publish, in bytes: the broker's `max_message_size`"),
  MAX_BODY_BYTES: wholeNumber(1, 1_073_741_824).prefault("26214400").describe("Largest request body, in bytes"),
  BODY_TIMEOUT: timeoutSchema.refine((ms) => ms > 0, "expected a duration up to 24h, and more than none")
    .prefault("30s").describe("How long a request body may take to arrive"),
  BODY_MEMORY: wholeNumber(1, 1_099_511_627_776).prefault("268435456")
    .describe("Bytes that all bodies under way may take together; a quarter is kept for those up to 256 KiB"),
  MAX_EVENTS_PER_DELIVERY: wholeNumber(1, 1_000_000).prefault("5000")
    .describe("How many events a delivery may become"),
  MAX_JSON_DEPTH: wholeNumber(1, 1000).prefault("64").describe("How deep an event's payload may be nested"),
  RATE_LIMIT: wholeNumber(0, 1_000_000).prefault("0")
    .describe("Deliveries a second that a webhook URL takes, counted by each process; `0`: no limit"),
  RATE_LIMIT_BURST: wholeNumber(1, 1_000_000).optional()
    .describe("Deliveries that a webhook URL takes at once after a pause. Unset: as many as `RATE_LIMIT`"),
  MAX_STREAMS: wholeNumber(0, 1_000_000).prefault("1000")
    .describe("Live streams that a process holds at once, of all workspaces together"),
  SHUTDOWN_TIMEOUT: timeoutSchema.prefault("10s").describe("How long a stop waits for requests under way"),
  DELIVERY_RETENTION: durationOrNoneSchema.prefault("3d")
    .describe("How long deliveries are kept, with their bodies, to be looked at and replayed; `0`: not at all"),
  DELIVERY_RETENTION_COUNT: wholeNumber(0, 1_000_000).prefault("1000")
    .describe("How many deliveries are kept for each workspace"),
  JOURNAL_RETENTION: durationOrNoneSchema.prefault("24h")
    .describe("How long events are kept for live streams to resume from; `0`: not at all"),
  JOURNAL_RETENTION_COUNT: wholeNumber(0, 1_000_000).prefault("10000")
    .describe("How many events are kept for that, at least, for each workspace"),
  AUDIT_RETENTION: durationSchema.prefault("365d").describe("How long it is kept who changed what"),
  LOG_LEVEL: z.enum(["debug", "info", "warning", "error"]).prefault("info")
    .describe("Least level that is logged; `debug` adds a line for each poll that finds nothing new"),
  LOG_FORMAT: z.enum(["text", "json"]).prefault("text").describe("`json`: one JSON object a line"),
  DENO_KV_ACCESS_TOKEN: z.string().optional().describe("Access token of a KV Connect database; Deno reads it itself"),
  DENO_DEPLOYMENT_ID: z.string().optional()
    .describe("Set by Deno Deploy; the platform's own KV is the store then, unless `KV_PATH` is set"),
});

/** The service's settings, checked and frozen. Times in milliseconds, sizes in bytes. */
export interface Config extends Limits {
  readonly port: number;
  readonly host: string;
  /** `undefined`: only requests from this machine are served. */
  readonly adminToken: string | undefined;
  /** `undefined`: the metrics take `adminToken`. */
  readonly metricsToken: string | undefined;
  readonly sessionLifetimeMs: number;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  /** `undefined`: the platform's own KV. */
  readonly kvPath: string | undefined;
  readonly encryptionKey: string | undefined;
  readonly encryptionKeysOld: readonly string[];
  /** One, or those of a cluster's nodes with commas between. */
  readonly amqpUrl: string | undefined;
  readonly exchange: string;
  readonly routingKey: string;
  readonly messageFormat: "normalized" | "cloudevents";
  readonly publishTimeoutMs: number;
  readonly spoolMaxBytes: number;
  /** `0`: repeats of deliveries are not recognized. */
  readonly dedupeWindowMs: number;
  readonly maxMessageBytes: number;
  readonly shutdownTimeoutMs: number;
  /** `0`: deliveries are not kept. */
  readonly deliveryRetentionMs: number;
  readonly deliveryRetentionCount: number;
  /** `0`: live streams do not resume. */
  readonly journalRetentionMs: number;
  readonly journalRetentionCount: number;
  readonly auditRetentionMs: number;
  readonly logLevel: "debug" | "info" | "warning" | "error";
  readonly logFormat: "text" | "json";
}

/** Names of the variables that hold a secret: their values are in no message. */
const SECRET_VARIABLES: ReadonlySet<string> = new Set([
  "ADMIN_TOKEN",
  "METRICS_TOKEN",
  "ENCRYPTION_KEY",
  "ENCRYPTION_KEYS_OLD",
  "AMQP_URL",
  "DENO_KV_ACCESS_TOKEN",
]);

/** One row of the table in docs/configuration.md. */
export interface Variable {
  readonly name: string;
  /** `undefined` where the variable has none. */
  readonly default: string | undefined;
  readonly meaning: string;
}

/** The variables that {@link loadConfig} reads, for documentation and for the permissions of the start task. */
export function variables(): Variable[] {
  const { properties = {} } = z.toJSONSchema(environmentSchema, { io: "input" });
  return Object.entries(properties).map(([name, property]) => ({
    name,
    default: typeof property === "object" && property.default !== undefined ? String(property.default) : undefined,
    meaning: typeof property === "object" ? property.description ?? "" : "",
  }));
}

/**
 * Makes the settings of an environment, asked variable by variable. An empty value counts as unset.
 *
 * @throws {ConfigError} naming every variable that is wrong, its value (unless secret) and what was expected
 */
export function loadConfig(get: (name: string) => string | undefined): Config {
  const given = Object.fromEntries(
    Object.keys(environmentSchema.shape).map((name) => [name, get(name) || undefined]),
  );
  const parsed = environmentSchema.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => {
      const name = String(issue.path[0]);
      const value = SECRET_VARIABLES.has(name) ? "not usable" : JSON.stringify(given[name]);
      return `Cannot start: ${name} is ${value}: ${issue.message}`;
    });
    throw new ConfigError(lines.join("\n"));
  }
  const env = parsed.data;
  if (env.PORT === 0 && env.PUBLIC_URL === undefined) {
    throw new ConfigError("Cannot start: PORT is 0 and PUBLIC_URL is not set: nobody could tell the webhook URLs");
  }
  if (env.ADMIN_TOKEN === undefined && !isLoopback(env.HOST)) {
    throw new ConfigError(
      `Cannot start: HOST is ${JSON.stringify(env.HOST)} and ADMIN_TOKEN is not set: whoever reaches it could change ` +
        "settings. Set ADMIN_TOKEN (openssl rand -hex 32), or leave HOST at 127.0.0.1, with a proxy in front that passes " +
        "on /webhooks/",
    );
  }
  if (env.METRICS_TOKEN !== undefined && env.ADMIN_TOKEN === undefined) {
    throw new ConfigError(
      "Cannot start: METRICS_TOKEN is set and ADMIN_TOKEN is not: only this machine is served then, which needs no " +
        "token. Set ADMIN_TOKEN (openssl rand -hex 32), or leave both unset",
    );
  }
  if (env.RATE_LIMIT_BURST !== undefined && given.RATE_LIMIT === undefined) {
    throw new ConfigError(
      "Cannot start: RATE_LIMIT_BURST is set and RATE_LIMIT is not: nothing would be limited. Set RATE_LIMIT, or leave " +
        "both unset",
    );
  }
  if (env.BODY_MEMORY * LARGE_BODIES_PART < env.MAX_BODY_BYTES) {
    throw new ConfigError(
      `Cannot start: BODY_MEMORY is ${env.BODY_MEMORY}: three quarters of it have to hold a body of MAX_BODY_BYTES, ` +
        `which is ${env.MAX_BODY_BYTES}`,
    );
  }
  const onDeploy = env.DENO_DEPLOYMENT_ID !== undefined && given.KV_PATH === undefined;
  return Object.freeze({
    port: env.PORT,
    host: env.HOST,
    adminToken: env.ADMIN_TOKEN,
    metricsToken: env.METRICS_TOKEN,
    sessionLifetimeMs: env.SESSION_LIFETIME,
    publicUrl: (env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, ""),
    kvPath: onDeploy ? undefined : env.KV_PATH,
    encryptionKey: env.ENCRYPTION_KEY,
    encryptionKeysOld: env.ENCRYPTION_KEYS_OLD,
    amqpUrl: env.AMQP_URL,
    exchange: env.AMQP_EXCHANGE,
    routingKey: env.AMQP_ROUTING_KEY,
    messageFormat: env.MESSAGE_FORMAT,
    publishTimeoutMs: env.PUBLISH_TIMEOUT,
    spoolMaxBytes: env.SPOOL_MAX_BYTES,
    dedupeWindowMs: env.DEDUPE_WINDOW,
    maxMessageBytes: env.MAX_MESSAGE_BYTES,
    maxBodyBytes: env.MAX_BODY_BYTES,
    bodyTimeoutMs: env.BODY_TIMEOUT,
    bodyMemoryBytes: env.BODY_MEMORY,
    maxEventsPerDelivery: env.MAX_EVENTS_PER_DELIVERY,
    maxJsonDepth: env.MAX_JSON_DEPTH,
    rateLimit: env.RATE_LIMIT,
    rateLimitBurst: env.RATE_LIMIT_BURST ?? env.RATE_LIMIT,
    maxStreams: env.MAX_STREAMS,
    shutdownTimeoutMs: env.SHUTDOWN_TIMEOUT,
    deliveryRetentionMs: env.DELIVERY_RETENTION,
    deliveryRetentionCount: env.DELIVERY_RETENTION_COUNT,
    journalRetentionMs: env.JOURNAL_RETENTION,
    journalRetentionCount: env.JOURNAL_RETENTION_COUNT,
    auditRetentionMs: env.AUDIT_RETENTION,
    logLevel: env.LOG_LEVEL,
    logFormat: env.LOG_FORMAT,
  });
}
